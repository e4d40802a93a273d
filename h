rocmtune-host 1
call clock.monotonic = 120
call kernel-log =
	<6>[    0.000000] Linux version 6.8.0
	<6>[  10.1] amdgpu 0000:03:00.0: [drm] Initialized amdgpu 3.57.0 for 0000:03:00.0 on minor 1
	<3>[  100.5] amdgpu 0000:03:00.0: amdgpu: Runlist is getting oversubscribed due to too many queues. Expect reduced ROCm performance.
label synthetic: one Radeon RX 7900 XT, idle, so its slot is at 2.5 of 16 GT/s (of a GPU's caches one of each kind is listed)
unlisted absent
call cgroup.cpu = max
call filesystem./dev/shm = 16453746688
call home.filesystem = 0xef53
call identity.gids = 1000 4 27 44 992
call identity.uid = 1000
call limit.memlock = 8388608 8388608
call limit.nofile = 1024 1048576
call uname.machine = x86_64
call uname.nodename = anvil
call uname.release = 6.8.0-71-generic
/dev/dri/by-path/pci-0000:0c:00.0-card -> ../card0
/dev/dri/by-path/pci-0000:0c:00.0-render -> ../renderD128
/dev/dri/card0 device c 226:0 mode 0660 owner 0:44
/dev/dri/renderD128 device c 226:128 mode 0660 owner 0:992
/dev/kfd device c 235:0 mode 0660 owner 0:992
/etc/group =
	root:x:0:
	adm:x:4:syslog
	tty:x:5:
	sudo:x:27:
	video:x:44:user
	render:x:992:user
	user:x:1000:
/etc/hostname = anvil
/etc/ld.so.cache listed
/etc/ld.so.conf = include /etc/ld.so.conf.d/*.conf
/etc/ld.so.conf.d/libc.conf =
	# libc default configuration
	/usr/local/lib
/etc/ld.so.conf.d/rocm.conf = /opt/rocm-6.3.0/lib
/etc/ld.so.conf.d/x86_64-linux-gnu.conf =
	# Multiarch support
	/usr/local/lib/x86_64-linux-gnu
	/lib/x86_64-linux-gnu
	/usr/lib/x86_64-linux-gnu
/etc/os-release =
	PRETTY_NAME="Ubuntu 24.04.3 LTS (Noble Numbat)"
	NAME="Ubuntu"
	ID=ubuntu
	VERSION_ID="24.04"
	VERSION="24.04.3 LTS (Noble Numbat)"
	VERSION_CODENAME=noble
/lib/modules/6.8.0-71-generic/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.zst listed
/lib/modules/6.8.0-71-generic/modules.builtin =
	kernel/fs/ext4/ext4.ko
	kernel/drivers/char/agp/amd64-agp.ko
/opt/rocm -> /opt/rocm-6.3.0
/opt/rocm-6.3.0/.info/version = 6.3.0-39
/opt/rocm-6.3.0/.info/version-rocm = 6.3.0-39
/opt/rocm-6.3.0/bin/amd-smi listed
/opt/rocm-6.3.0/bin/hipcc listed
/opt/rocm-6.3.0/bin/rocm-smi listed
/opt/rocm-6.3.0/bin/rocminfo listed
/opt/rocm-6.3.0/lib/libMIOpen.so -> libMIOpen.so.1
/opt/rocm-6.3.0/lib/libMIOpen.so.1 -> libMIOpen.so.1.0.60300
/opt/rocm-6.3.0/lib/libMIOpen.so.1.0.60300 listed
/opt/rocm-6.3.0/lib/libamd_comgr.so -> libamd_comgr.so.2
/opt/rocm-6.3.0/lib/libamd_comgr.so.2 -> libamd_comgr.so.2.8.60300
/opt/rocm-6.3.0/lib/libamd_comgr.so.2.8.60300 listed
/opt/rocm-6.3.0/lib/libamd_smi.so -> libamd_smi.so.24
/opt/rocm-6.3.0/lib/libamd_smi.so.24 -> libamd_smi.so.24.7.60300
/opt/rocm-6.3.0/lib/libamd_smi.so.24.7.60300 listed
/opt/rocm-6.3.0/lib/libamdhip64.so -> libamdhip64.so.6
/opt/rocm-6.3.0/lib/libamdhip64.so.6 -> libamdhip64.so.6.3.60300
/opt/rocm-6.3.0/lib/libamdhip64.so.6.3.60300 listed
/opt/rocm-6.3.0/lib/libhipblas.so -> libhipblas.so.2
/opt/rocm-6.3.0/lib/libhipblas.so.2 -> libhipblas.so.2.3.60300
/opt/rocm-6.3.0/lib/libhipblas.so.2.3.60300 listed
/opt/rocm-6.3.0/lib/libhipblaslt.so -> libhipblaslt.so.0
/opt/rocm-6.3.0/lib/libhipblaslt.so.0 -> libhipblaslt.so.0.10.60300
/opt/rocm-6.3.0/lib/libhipblaslt.so.0.10.60300 listed
/opt/rocm-6.3.0/lib/libhiprtc.so -> libhiprtc.so.6
/opt/rocm-6.3.0/lib/libhiprtc.so.6 -> libhiprtc.so.6.3.60300
/opt/rocm-6.3.0/lib/libhiprtc.so.6.3.60300 listed
/opt/rocm-6.3.0/lib/libhsa-runtime64.so -> libhsa-runtime64.so.1
/opt/rocm-6.3.0/lib/libhsa-runtime64.so.1 -> libhsa-runtime64.so.1.14.60300
/opt/rocm-6.3.0/lib/libhsa-runtime64.so.1.14.60300 listed
/opt/rocm-6.3.0/lib/librccl.so -> librccl.so.1
/opt/rocm-6.3.0/lib/librccl.so.1 -> librccl.so.1.0.60300
/opt/rocm-6.3.0/lib/librccl.so.1.0.60300 listed
/opt/rocm-6.3.0/lib/librocblas.so -> librocblas.so.4
/opt/rocm-6.3.0/lib/librocblas.so.4 -> librocblas.so.4.3.60300
/opt/rocm-6.3.0/lib/librocblas.so.4.3.60300 listed
/opt/rocm-6.3.0/lib/librocm_smi64.so -> librocm_smi64.so.7
/opt/rocm-6.3.0/lib/librocm_smi64.so.7 -> librocm_smi64.so.7.4.60300
/opt/rocm-6.3.0/lib/librocm_smi64.so.7.4.60300 listed
/opt/rocm-6.3.0/lib/rocblas/library/TensileLibrary_lazy_gfx1100.dat listed
/proc/1/cgroup = 0::/init.scope
/proc/cmdline = BOOT_IMAGE=/boot/vmlinuz-6.8.0-71-generic root=UUID=5f1c6e2a-7d0e-4a52-9a41-3d7b6f0c9e11 ro quiet splash
/proc/cpuinfo =
	processor	: 0
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 0
	cpu cores	: 8
	
	processor	: 1
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 1
	cpu cores	: 8
	
	processor	: 2
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 2
	cpu cores	: 8
	
	processor	: 3
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 3
	cpu cores	: 8
	
	processor	: 4
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 4
	cpu cores	: 8
	
	processor	: 5
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 5
	cpu cores	: 8
	
	processor	: 6
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 6
	cpu cores	: 8
	
	processor	: 7
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 7
	cpu cores	: 8
	
	processor	: 8
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 0
	cpu cores	: 8
	
	processor	: 9
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 1
	cpu cores	: 8
	
	processor	: 10
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 2
	cpu cores	: 8
	
	processor	: 11
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 3
	cpu cores	: 8
	
	processor	: 12
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 4
	cpu cores	: 8
	
	processor	: 13
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 5
	cpu cores	: 8
	
	processor	: 14
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 6
	cpu cores	: 8
	
	processor	: 15
	vendor_id	: AuthenticAMD
	cpu family	: 25
	model		: 33
	model name	: AMD Ryzen 7 5800X 8-Core Processor
	stepping	: 0
	physical id	: 0
	siblings	: 16
	core id		: 7
	cpu cores	: 8
	
/proc/meminfo =
	MemTotal:       32136228 kB
	MemFree:        16068114 kB
	MemAvailable:   25708982 kB
	Buffers:          412340 kB
	Cached:          8034057 kB
	SwapTotal:       2097148 kB
	SwapFree:        2097148 kB
	Shmem:            183204 kB
	HugePages_Total:       0
	HugePages_Free:        0
	Hugepagesize:       2048 kB
/proc/modules =
	amdgpu 20635648 12 - Live 0x0000000000000000
	ttm 65536 1 amdgpu, Live 0x0000000000000000
	drm_exec 65536 1 amdgpu, Live 0x0000000000000000
	gpu_sched 65536 1 amdgpu, Live 0x0000000000000000
/proc/self/cgroup = 0::/user.slice/user-1000.slice/session-3.scope
/proc/self/ns/cgroup -> cgroup:[4026531835]
/proc/self/ns/pid -> pid:[4026531836]
/proc/self/ns/user -> user:[4026531837]
/proc/self/status =
	Name:	rocmtune
	Umask:	0022
	State:	R (running)
	Tgid:	4242
	Pid:	4242
	PPid:	1
	TracerPid:	0
	Uid:	1000	1000	1000	1000
	Gid:	1000	1000	1000	1000
	FDSize:	64
	Groups:	1000 4 27 44 992 
	NSpid:	4242
	Threads:	1
	Seccomp:	0
	Seccomp_filters:	0
	Cpus_allowed_list:	0-15
	Mems_allowed_list:	0
/proc/sys/kernel/dmesg_restrict = 1
/proc/sys/kernel/osrelease = 6.8.0-71-generic
/proc/sys/vm/compaction_proactiveness = 20
/proc/version = Linux version 6.8.0-71-generic (buildd@lcy02-amd64-047) (x86_64-linux-gnu-gcc-13 (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0, GNU ld (GNU Binutils for Ubuntu) 2.42) #31~24.04.1-Ubuntu SMP PREEMPT_DYNAMIC Tue Jul  1 18:32:04 UTC 2
/sys/bus/pci/devices/0000:00:03.1 -> ../../../devices/pci0000:00/0000:00:03.1
/sys/bus/pci/devices/0000:0a:00.0 -> ../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0
/sys/bus/pci/devices/0000:0b:00.0 -> ../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0
/sys/bus/pci/devices/0000:0c:00.0 -> ../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0
/sys/bus/pci/devices/0000:0c:00.1 -> ../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1
/sys/bus/pci/drivers/amdgpu/0000:0c:00.0 -> ../../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0
/sys/bus/pci/drivers/pcieport/0000:00:03.1 -> ../../../../devices/pci0000:00/0000:00:03.1
/sys/bus/pci/drivers/pcieport/0000:0a:00.0 -> ../../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0
/sys/bus/pci/drivers/pcieport/0000:0b:00.0 -> ../../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0
/sys/bus/pci/drivers/snd_hda_intel/0000:0c:00.1 -> ../../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1
/sys/class/dmi/id/bios_date = 07/11/2024
/sys/class/dmi/id/bios_version = A.J0
/sys/class/dmi/id/product_name = MS-7C91
/sys/class/dmi/id/sys_vendor = Micro-Star International Co., Ltd.
/sys/class/drm/card0 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0
/sys/class/drm/card0-DP-1 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-1
/sys/class/drm/card0-DP-2 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-2
/sys/class/drm/card0-DP-3 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-3
/sys/class/drm/card0-HDMI-A-1 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-HDMI-A-1
/sys/class/drm/renderD128 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/renderD128
/sys/class/drm/version = drm 1.1.0 20060810
/sys/class/hwmon/hwmon3 -> ../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3
/sys/class/iommu/ivhd0 -> ../../devices/pci0000:00/0000:00:00.2/iommu/ivhd0
/sys/class/kfd/kfd -> ../../devices/virtual/kfd/kfd
/sys/devices/pci0000:00/0000:00:00.2/iommu/ivhd0/amd-iommu/cap = 40
/sys/devices/pci0000:00/0000:00:00.2/iommu/ivhd0/amd-iommu/features = 25bf732fa2295afe:d
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/aer_dev_correctable =
	RxErr 0
	BadTLP 0
	BadDLLP 0
	Rollover 0
	Timeout 0
	NonFatalErr 0
	CorrIntErr 0
	HeaderOF 0
	TOTAL_ERR_COR 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/aer_dev_fatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_FATAL 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/aer_dev_nonfatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_NONFATAL 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/ari_enabled = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/boot_vga = 1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/class = 0x030000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/config base64 AhBMdAcFEADMAAADEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACiHXHkAAAAAAAAAAAAAAAAAAAAAA==
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/current_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/current_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/d3cold_allowed = 1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/device = 0x744c
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/driver -> ../../../../../../bus/pci/drivers/amdgpu
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-1/device -> ../../card0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-1/dpms = On
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-1/enabled = enabled
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-1/status = connected
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-2/device -> ../../card0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-2/dpms = Off
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-2/enabled = disabled
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-2/status = disconnected
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-3/device -> ../../card0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-3/dpms = Off
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-3/enabled = disabled
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-DP-3/status = disconnected
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-HDMI-A-1/device -> ../../card0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-HDMI-A-1/dpms = Off
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-HDMI-A-1/enabled = disabled
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/card0-HDMI-A-1/status = disconnected
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/dev = 226:0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/device -> ../../../0000:0c:00.0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/card0/uevent =
	MAJOR=226
	MINOR=0
	DEVNAME=dri/card0
	DEVTYPE=drm_minor
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/renderD128/dev = 226:128
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/renderD128/device -> ../../../0000:0c:00.0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/drm/renderD128/uevent =
	MAJOR=226
	MINOR=128
	DEVNAME=dri/renderD128
	DEVTYPE=drm_minor
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/enable = 1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/asd_fw_version = 0x210000e1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/imu_fw_version = 0x0b1f4c00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/me_fw_version = 0x000009a6
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/mec_fw_version = 0x000009b0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/mes_fw_version = 0x00000074
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/mes_kiq_fw_version = 0x0000006c
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/pfp_fw_version = 0x00000a1c
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/rlc_fw_version = 0x0000007b
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/sdma_fw_version = 0x00000018
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/smc_fw_version = 0x004e8100
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/sos_fw_version = 0x00310024
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/ta_ras_fw_version = 0x1b00013e
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/ta_xgmi_fw_version = 0x2000000f
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/fw_version/vcn_fw_version = 0x0911a00c
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/gpu_busy_percent = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/gpu_metrics base64 eAABAyYAKgAsAP///////wAAAAAAABQAMmGYkwEAAADN4L+vsQQAAB8A9AFgAP//////////HwD0AWAA//////////8AAAAAAAAQABkA////////////////////////rsksK3gAAAD//7wC/////wAAAAAAAAAA
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/device -> ../../../0000:0c:00.0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/fan1_enable = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/fan1_input = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/fan1_max = 3300
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/fan1_min = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/fan1_target = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/freq1_input = 31000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/freq1_label = sclk
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/freq2_input = 96000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/freq2_label = mclk
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/in0_input = 700
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/in0_label = vddgfx
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/name = amdgpu
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/power1_average = 20000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/power1_cap = 265000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/power1_cap_default = 265000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/power1_cap_max = 304000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/power1_cap_min = 239000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/power1_label = PPT
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/pwm1 = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/pwm1_enable = 2
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/pwm1_max = 255
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/pwm1_min = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp1_crit = 100000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp1_crit_hyst = -273150
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp1_emergency = 105000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp1_input = 38000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp1_label = edge
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp2_crit = 110000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp2_crit_hyst = -273150
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp2_emergency = 115000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp2_input = 42000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp2_label = junction
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp3_crit = 108000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp3_crit_hyst = -273150
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp3_emergency = 113000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp3_input = 44000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/hwmon/hwmon3/temp3_label = mem
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/iommu_group -> ../../../../../../kernel/iommu_groups/17
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/local_cpulist = 0-15
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/local_cpus = ffff
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/max_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/max_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_busy_percent = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_gtt_total = 16453746688
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_gtt_used = 14180352
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_preempt_used = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_vis_vram_total = 21458059264
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_vis_vram_used = 903471104
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_vram_total = 21458059264
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_vram_used = 903471104
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/mem_info_vram_vendor = hynix
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/numa_node = -1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/pcie_replay_count = 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/power/control = on
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/power/runtime_status = active
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/power_dpm_force_performance_level = auto
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/power_dpm_state = performance
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/power_state = D0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/pp_dpm_fclk =
	0: 500Mhz *
	1: 1800Mhz 
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/pp_dpm_mclk =
	0: 96Mhz *
	1: 456Mhz 
	2: 772Mhz 
	3: 1249Mhz 
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/pp_dpm_pcie =
	0: 2.5GT/s, x16 310Mhz *
	1: 16.0GT/s, x16 619Mhz 
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/pp_dpm_sclk =
	0: 500Mhz
	1: 31Mhz *
	2: 2330Mhz
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/pp_dpm_socclk =
	0: 500Mhz *
	1: 1500Mhz 
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/resource =
	0x0000006000000000 0x00000064feffffff 0x000000000014220c
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x00000064ff000000 0x000000650effffff 0x000000000014220c
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x000000000000e000 0x000000000000e0ff 0x0000000000040101
	0x00000000fcb00000 0x00000000fcbfffff 0x0000000000040200
	0x00000000fcc00000 0x00000000fcc1ffff 0x0000000000046200
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x0000000000000000 0x0000000000000000 0x0000000000000000
	0x0000000000000000 0x0000000000000000 0x0000000000000000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/resource0_resize = 000000000000ff00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/revision = 0xcc
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/subsystem_device = 0xe471
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/subsystem_vendor = 0x1da2
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/thermal_throttling_logging = 0000:0c:00.0: thermal throttling logging enabled, with interval 60 seconds
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/uevent =
	DRIVER=amdgpu
	PCI_CLASS=30000
	PCI_ID=1002:744C
	PCI_SUBSYS_ID=1DA2:E471
	PCI_SLOT_NAME=0000:0c:00.0
	MODALIAS=pci:v00001002d0000744Csv00001DA2sd0000E471bc03sc00i00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/unique_id = 17787f8f3c9fe1e7
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/vbios_version = 113-D7020100-102
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0/vendor = 0x1002
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/class = 0x040300
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/current_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/current_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/device = 0xab30
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/driver -> ../../../../../../bus/pci/drivers/snd_hda_intel
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/iommu_group -> ../../../../../../kernel/iommu_groups/17
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/max_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/max_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/numa_node = -1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/revision = 0x00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/subsystem_device = 0xe471
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/subsystem_vendor = 0x1da2
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/uevent =
	DRIVER=snd_hda_intel
	PCI_CLASS=40300
	PCI_ID=1002:AB30
	PCI_SUBSYS_ID=1DA2:E471
	PCI_SLOT_NAME=0000:0c:00.1
	MODALIAS=pci:v00001002d0000AB30sv00001DA2sd0000E471bc04sc03i00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1/vendor = 0x1002
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/aer_dev_correctable =
	RxErr 0
	BadTLP 0
	BadDLLP 0
	Rollover 0
	Timeout 0
	NonFatalErr 0
	CorrIntErr 0
	HeaderOF 0
	TOTAL_ERR_COR 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/aer_dev_fatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_FATAL 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/aer_dev_nonfatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_NONFATAL 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/class = 0x060400
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/config base64 AhB5FAcFEAAAAAQGEAABAAAAAAAAAAAACwwMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/current_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/current_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/device = 0x1479
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/driver -> ../../../../../bus/pci/drivers/pcieport
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/local_cpulist = 0-15
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/local_cpus = ffff
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/max_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/max_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/numa_node = -1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/power/runtime_status = active
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/power_state = D0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/revision = 0x00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/subsystem_device = 0x0000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/subsystem_vendor = 0x0000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/uevent =
	DRIVER=pcieport
	PCI_CLASS=60400
	PCI_ID=1002:1479
	PCI_SUBSYS_ID=0000:0000
	PCI_SLOT_NAME=0000:0b:00.0
	MODALIAS=pci:v00001002d00001479sv00000000sd00000000bc06sc04i00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/vendor = 0x1002
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/aer_dev_correctable =
	RxErr 0
	BadTLP 0
	BadDLLP 0
	Rollover 0
	Timeout 0
	NonFatalErr 0
	CorrIntErr 0
	HeaderOF 0
	TOTAL_ERR_COR 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/aer_dev_fatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_FATAL 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/aer_dev_nonfatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_NONFATAL 0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/class = 0x060400
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/config base64 AhB4FAcFEAAAAAQGEAABAAAAAAAAAAAACgsMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/current_link_speed = 2.5 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/current_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/device = 0x1478
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/driver -> ../../../../bus/pci/drivers/pcieport
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/local_cpulist = 0-15
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/local_cpus = ffff
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/max_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/max_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/numa_node = -1
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/power/runtime_status = active
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/power_state = D0
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/revision = 0x00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/subsystem_device = 0x0000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/subsystem_vendor = 0x0000
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/uevent =
	DRIVER=pcieport
	PCI_CLASS=60400
	PCI_ID=1002:1478
	PCI_SUBSYS_ID=0000:0000
	PCI_SLOT_NAME=0000:0a:00.0
	MODALIAS=pci:v00001002d00001478sv00000000sd00000000bc06sc04i00
/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/vendor = 0x1002
/sys/devices/pci0000:00/0000:00:03.1/aer_dev_correctable =
	RxErr 0
	BadTLP 0
	BadDLLP 0
	Rollover 0
	Timeout 0
	NonFatalErr 0
	CorrIntErr 0
	HeaderOF 0
	TOTAL_ERR_COR 0
/sys/devices/pci0000:00/0000:00:03.1/aer_dev_fatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_FATAL 0
/sys/devices/pci0000:00/0000:00:03.1/aer_dev_nonfatal =
	Undefined 0
	DLP 0
	SDES 0
	TLP 0
	FCP 0
	CmpltTO 0
	CmpltAbrt 0
	UnxCmplt 0
	RxOF 0
	MalfTLP 0
	ECRC 0
	UnsupReq 0
	ACSViol 0
	UncorrIntErr 0
	BlockedTLP 0
	AtomicOpBlocked 0
	TLPBlockedErr 0
	PoisonTLPBlocked 0
	TOTAL_ERR_NONFATAL 0
/sys/devices/pci0000:00/0000:00:03.1/class = 0x060400
/sys/devices/pci0000:00/0000:00:03.1/config base64 IhCDFAcFEAAAAAQGEAABAAAAAAAAAAAAAAoMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
/sys/devices/pci0000:00/0000:00:03.1/current_link_speed = 2.5 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/current_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/device = 0x1483
/sys/devices/pci0000:00/0000:00:03.1/driver -> ../../../bus/pci/drivers/pcieport
/sys/devices/pci0000:00/0000:00:03.1/local_cpulist = 0-15
/sys/devices/pci0000:00/0000:00:03.1/local_cpus = ffff
/sys/devices/pci0000:00/0000:00:03.1/max_link_speed = 16.0 GT/s PCIe
/sys/devices/pci0000:00/0000:00:03.1/max_link_width = 16
/sys/devices/pci0000:00/0000:00:03.1/numa_node = -1
/sys/devices/pci0000:00/0000:00:03.1/power/runtime_status = active
/sys/devices/pci0000:00/0000:00:03.1/power_state = D0
/sys/devices/pci0000:00/0000:00:03.1/revision = 0x00
/sys/devices/pci0000:00/0000:00:03.1/subsystem_device = 0x0000
/sys/devices/pci0000:00/0000:00:03.1/subsystem_vendor = 0x0000
/sys/devices/pci0000:00/0000:00:03.1/uevent =
	DRIVER=pcieport
	PCI_CLASS=60400
	PCI_ID=1022:1483
	PCI_SUBSYS_ID=0000:0000
	PCI_SLOT_NAME=0000:00:03.1
	MODALIAS=pci:v00001022d00001483sv00000000sd00000000bc06sc04i00
/sys/devices/pci0000:00/0000:00:03.1/vendor = 0x1022
/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq = 4850000
/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver = amd-pstate-epp
/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor = powersave
/sys/devices/system/cpu/cpu0/topology/core_cpus = 0101
/sys/devices/system/cpu/cpu0/topology/core_id = 0
/sys/devices/system/cpu/cpu0/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu0/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu0/topology/thread_siblings_list = 0,8
/sys/devices/system/cpu/cpu1/topology/core_cpus = 0202
/sys/devices/system/cpu/cpu1/topology/core_id = 1
/sys/devices/system/cpu/cpu1/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu1/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu1/topology/thread_siblings_list = 1,9
/sys/devices/system/cpu/cpu10/topology/core_cpus = 0404
/sys/devices/system/cpu/cpu10/topology/core_id = 2
/sys/devices/system/cpu/cpu10/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu10/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu10/topology/thread_siblings_list = 2,10
/sys/devices/system/cpu/cpu11/topology/core_cpus = 0808
/sys/devices/system/cpu/cpu11/topology/core_id = 3
/sys/devices/system/cpu/cpu11/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu11/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu11/topology/thread_siblings_list = 3,11
/sys/devices/system/cpu/cpu12/topology/core_cpus = 1010
/sys/devices/system/cpu/cpu12/topology/core_id = 4
/sys/devices/system/cpu/cpu12/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu12/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu12/topology/thread_siblings_list = 4,12
/sys/devices/system/cpu/cpu13/topology/core_cpus = 2020
/sys/devices/system/cpu/cpu13/topology/core_id = 5
/sys/devices/system/cpu/cpu13/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu13/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu13/topology/thread_siblings_list = 5,13
/sys/devices/system/cpu/cpu14/topology/core_cpus = 4040
/sys/devices/system/cpu/cpu14/topology/core_id = 6
/sys/devices/system/cpu/cpu14/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu14/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu14/topology/thread_siblings_list = 6,14
/sys/devices/system/cpu/cpu15/topology/core_cpus = 8080
/sys/devices/system/cpu/cpu15/topology/core_id = 7
/sys/devices/system/cpu/cpu15/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu15/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu15/topology/thread_siblings_list = 7,15
/sys/devices/system/cpu/cpu2/topology/core_cpus = 0404
/sys/devices/system/cpu/cpu2/topology/core_id = 2
/sys/devices/system/cpu/cpu2/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu2/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu2/topology/thread_siblings_list = 2,10
/sys/devices/system/cpu/cpu3/topology/core_cpus = 0808
/sys/devices/system/cpu/cpu3/topology/core_id = 3
/sys/devices/system/cpu/cpu3/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu3/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu3/topology/thread_siblings_list = 3,11
/sys/devices/system/cpu/cpu4/topology/core_cpus = 1010
/sys/devices/system/cpu/cpu4/topology/core_id = 4
/sys/devices/system/cpu/cpu4/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu4/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu4/topology/thread_siblings_list = 4,12
/sys/devices/system/cpu/cpu5/topology/core_cpus = 2020
/sys/devices/system/cpu/cpu5/topology/core_id = 5
/sys/devices/system/cpu/cpu5/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu5/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu5/topology/thread_siblings_list = 5,13
/sys/devices/system/cpu/cpu6/topology/core_cpus = 4040
/sys/devices/system/cpu/cpu6/topology/core_id = 6
/sys/devices/system/cpu/cpu6/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu6/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu6/topology/thread_siblings_list = 6,14
/sys/devices/system/cpu/cpu7/topology/core_cpus = 8080
/sys/devices/system/cpu/cpu7/topology/core_id = 7
/sys/devices/system/cpu/cpu7/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu7/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu7/topology/thread_siblings_list = 7,15
/sys/devices/system/cpu/cpu8/topology/core_cpus = 0101
/sys/devices/system/cpu/cpu8/topology/core_id = 0
/sys/devices/system/cpu/cpu8/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu8/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu8/topology/thread_siblings_list = 0,8
/sys/devices/system/cpu/cpu9/topology/core_cpus = 0202
/sys/devices/system/cpu/cpu9/topology/core_id = 1
/sys/devices/system/cpu/cpu9/topology/package_cpus = ffff
/sys/devices/system/cpu/cpu9/topology/physical_package_id = 0
/sys/devices/system/cpu/cpu9/topology/thread_siblings_list = 1,9
/sys/devices/system/cpu/online = 0-15
/sys/devices/system/cpu/possible = 0-15
/sys/devices/system/cpu/present = 0-15
/sys/devices/system/cpu/smt/active = 1
/sys/devices/system/cpu/smt/control = on
/sys/devices/system/node/node0/cpulist = 0-15
/sys/devices/system/node/node0/cpumap = ffff
/sys/devices/system/node/node0/distance = 10
/sys/devices/system/node/node0/meminfo =
	Node 0 MemTotal:       32136228 kB
	Node 0 MemFree:        16068114 kB
/sys/devices/system/node/online = 0
/sys/devices/system/node/possible = 0
/sys/devices/virtual/kfd/kfd/dev = 235:0
/sys/devices/virtual/kfd/kfd/proc dir
/sys/devices/virtual/kfd/kfd/topology/generation_id = 2
/sys/devices/virtual/kfd/kfd/topology/nodes/0/gpu_id = 0
/sys/devices/virtual/kfd/kfd/topology/nodes/0/io_links/0/properties =
	type 2
	version_major 0
	version_minor 0
	node_from 0
	node_to 1
	weight 20
	min_latency 0
	max_latency 0
	min_bandwidth 312
	max_bandwidth 32000
	recommended_transfer_size 0
	flags 3
/sys/devices/virtual/kfd/kfd/topology/nodes/0/mem_banks/0/properties =
	heap_type 0
	size_in_bytes 32907497472
	flags 0
	width 64
	mem_clk_max 4800
/sys/devices/virtual/kfd/kfd/topology/nodes/0/name =
	
/sys/devices/virtual/kfd/kfd/topology/nodes/0/properties =
	cpu_cores_count 16
	simd_count 0
	mem_banks_count 1
	caches_count 0
	io_links_count 1
	p2p_links_count 0
	cpu_core_id_base 0
	simd_id_base 0
	max_waves_per_simd 0
	lds_size_in_kb 0
	gds_size_in_kb 0
	num_gws 0
	wave_front_size 0
	array_count 0
	simd_arrays_per_engine 0
	cu_per_simd_array 0
	simd_per_cu 0
	max_slots_scratch_cu 0
	gfx_target_version 0
	vendor_id 0
	device_id 0
	location_id 0
	domain 0
	drm_render_minor 0
	hive_id 0
	num_sdma_engines 0
	num_sdma_xgmi_engines 0
	num_sdma_queues_per_engine 0
	num_cp_queues 0
	max_engine_clk_ccompute 4850
/sys/devices/virtual/kfd/kfd/topology/nodes/1/caches/0/properties =
	processor_id_low 2147487744
	level 1
	size 32
	cache_line_size 128
	cache_lines_per_tag 0
	association 0
	latency 0
	type 9
	sibling_map 1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
/sys/devices/virtual/kfd/kfd/topology/nodes/1/caches/1/properties =
	processor_id_low 2147487744
	level 1
	size 16
	cache_line_size 64
	cache_lines_per_tag 0
	association 0
	latency 0
	type 9
	sibling_map 1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
/sys/devices/virtual/kfd/kfd/topology/nodes/1/caches/2/properties =
	processor_id_low 2147487744
	level 1
	size 256
	cache_line_size 128
	cache_lines_per_tag 0
	association 0
	latency 0
	type 9
	sibling_map 1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
/sys/devices/virtual/kfd/kfd/topology/nodes/1/caches/3/properties =
	processor_id_low 2147487744
	level 2
	size 6144
	cache_line_size 128
	cache_lines_per_tag 0
	association 0
	latency 0
	type 9
	sibling_map 1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
/sys/devices/virtual/kfd/kfd/topology/nodes/1/caches/4/properties =
	processor_id_low 2147487744
	level 3
	size 81920
	cache_line_size 64
	cache_lines_per_tag 0
	association 0
	latency 0
	type 9
	sibling_map 1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
/sys/devices/virtual/kfd/kfd/topology/nodes/1/gpu_id = 5356
/sys/devices/virtual/kfd/kfd/topology/nodes/1/io_links/0/properties =
	type 2
	version_major 0
	version_minor 0
	node_from 1
	node_to 0
	weight 20
	min_latency 0
	max_latency 0
	min_bandwidth 312
	max_bandwidth 32000
	recommended_transfer_size 0
	flags 1
/sys/devices/virtual/kfd/kfd/topology/nodes/1/mem_banks/0/properties =
	heap_type 1
	size_in_bytes 21458059264
	flags 0
	width 320
	mem_clk_max 1249
/sys/devices/virtual/kfd/kfd/topology/nodes/1/mem_banks/0/used_memory = 903471104
/sys/devices/virtual/kfd/kfd/topology/nodes/1/name = ip discovery
/sys/devices/virtual/kfd/kfd/topology/nodes/1/properties =
	cpu_cores_count 0
	simd_count 168
	mem_banks_count 1
	caches_count 5
	io_links_count 1
	p2p_links_count 0
	cpu_core_id_base 0
	simd_id_base 2147487744
	max_waves_per_simd 16
	lds_size_in_kb 64
	gds_size_in_kb 0
	num_gws 64
	wave_front_size 32
	array_count 12
	simd_arrays_per_engine 2
	cu_per_simd_array 8
	simd_per_cu 2
	max_slots_scratch_cu 32
	gfx_target_version 110000
	vendor_id 4098
	device_id 29772
	location_id 3072
	domain 0
	drm_render_minor 128
	hive_id 0
	num_sdma_engines 2
	num_sdma_xgmi_engines 0
	num_sdma_queues_per_engine 6
	num_cp_queues 8
	max_engine_clk_fcompute 2330
	local_mem_size 0
	fw_version 2140
	capability 671588992
	debug_prop 1495
	sdma_fw_version 20
	unique_id 1691241913251783143
	num_xcc 1
	max_engine_clk_ccompute 4850
/sys/devices/virtual/kfd/kfd/topology/system_properties =
	platform_oem 49818705807693
	platform_id 35498446626881
	platform_rev 2
/sys/devices/virtual/kfd/kfd/uevent =
	MAJOR=235
	MINOR=0
	DEVNAME=kfd
/sys/kernel/iommu_groups/17/devices/0000:0c:00.0 -> ../../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0
/sys/kernel/iommu_groups/17/devices/0000:0c:00.1 -> ../../../../devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.1
/sys/kernel/iommu_groups/17/type = DMA-FQ
/sys/kernel/mm/transparent_hugepage/enabled = always [madvise] never
/sys/module/amdgpu/drivers/pci:amdgpu -> ../../../bus/pci/drivers/amdgpu
/sys/module/amdgpu/initstate = live
/sys/module/amdgpu/parameters/bad_page_threshold = -1
/sys/module/amdgpu/parameters/cwsr_enable = 1
/sys/module/amdgpu/parameters/dpm = -1
/sys/module/amdgpu/parameters/gpu_recovery = -1
/sys/module/amdgpu/parameters/gttsize = -1
/sys/module/amdgpu/parameters/lockup_timeout =
	
/sys/module/amdgpu/parameters/mcbp = -1
/sys/module/amdgpu/parameters/noretry = -1
/sys/module/amdgpu/parameters/ppfeaturemask = 0xfff7bfff
/sys/module/amdgpu/parameters/ras_enable = -1
/sys/module/amdgpu/parameters/runpm = -1
/sys/module/amdgpu/parameters/sched_hw_submission = 2
/sys/module/amdgpu/parameters/use_xgmi_p2p = 1
/sys/module/amdgpu/parameters/vm_fragment_size = -1
/sys/module/amdgpu/refcnt = 12
/sys/module/amdgpu/taint =
	
/sys/module/ttm/parameters/page_pool_size = 4017028
/sys/module/ttm/parameters/pages_limit = 4017028
/var/lib/dpkg/status =
	Package: hip-runtime-amd
	Status: install ok installed
	Priority: optional
	Section: libs
	Architecture: amd64
	Version: 6.3.42131.60300-39~24.04
	
	Package: rccl
	Status: install ok installed
	Priority: optional
	Section: libs
	Architecture: amd64
	Version: 2.21.5.60300-39~24.04
	
	Package: rocblas
	Status: install ok installed
	Priority: optional
	Section: libs
	Architecture: amd64
	Version: 4.3.0.60300-39~24.04
	
	Package: rocm-core
	Status: install ok installed
	Priority: optional
	Section: libs
	Architecture: amd64
	Version: 6.3.0.60300-39~24.04
	
	Package: rocm-smi-lib
	Status: install ok installed
	Priority: optional
	Section: libs
	Architecture: amd64
	Version: 7.4.0.60300-39~24.04
	
