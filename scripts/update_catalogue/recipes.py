"""Which environment variables scripts, container files and recipes set, by form of file."""

import re

NAME = r"(?P<name>[A-Z][A-Z0-9_]{2,79})"

LONGEST_LINE = 2000  # longer ones are data

# The names of the field: what GPUs, their libraries, frameworks, launchers and builds are set by.
PREFIXES = (
    "ACCELERATE", "AITER", "AMD", "AMDGPU", "AMD_LOG", "AOTRITON", "BITSANDBYTES", "BNB", "CK",
    "CUDA", "DEEPSPEED", "DS", "FI", "FLASH_ATTENTION", "FLASH_ATTN", "GGML", "GLOO",
    "GOMP", "GPU", "HF", "HIP", "HIPBLASLT", "HIPCC", "HIPFILE", "HIPRTC", "HSA", "HSAKMT",
    "INDUCTOR", "JAX", "KINETO", "KMP", "LIBOMPTARGET", "LLAMA", "LLAMACPP", "MIGRAPHX", "MIOPEN",
    "MKL", "MORI", "MPICH", "MSCCL", "MSCCLPP", "NCCL", "NUMEXPR", "NVIDIA", "NVTE",
    "OLLAMA", "OMP", "OMPI", "OMPI_MCA", "OMNITRACE", "OPENBLAS", "ORT", "PJRT", "PMIX", "PYTORCH",
    "RAY", "RCCL", "ROC", "ROCBLAS", "ROCFFT", "ROCM", "ROCPROF", "ROCPROFILER", "ROCPROFSYS",
    "ROCR", "ROCSHMEM", "ROCSOLVER", "RSMI", "SAFETENSORS", "SGL", "SGLANG", "TE", "TENSILE", "TF",
    "TGI", "TOKENIZERS", "TORCH", "TORCHDYNAMO", "TORCHELASTIC", "TORCHINDUCTOR", "TRANSFORMERS",
    "TRITON", "UCC", "UCX", "VLLM", "XLA",
)
WHOLE = {
    "BUILD_FA", "BUILD_TRITON", "CMAKE_HIP_ARCHITECTURES", "CMAKE_PREFIX_PATH", "CXXFLAGS",
    "DEVICE_LIB_PATH", "GLOO_SOCKET_IFNAME", "LD_LIBRARY_PATH", "LD_PRELOAD", "LOCAL_RANK",
    "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "MAX_JOBS", "MIN_JOBS", "NODE_RANK",
    "OPENCL_ROOT", "PREBUILD_KERNELS", "PYTHONUNBUFFERED", "RANK", "USE_CUDA", "USE_ROCM",
    "VLLM_TARGET_DEVICE", "WORLD_SIZE",
}
# Words of the scripts themselves: arguments of image builds and of cmake, which no component reads
# from the environment. Found by hand among the names set most often.
PRIVATE = {
    "AITER_BRANCH", "AITER_COMMIT", "AITER_GIT_REF", "AITER_REPO", "AMDGPU_FAMILIES", "AMDGPU_TARGET",
    "CUDA_ARCHITECTURES", "CUDA_DOCKER_ARCH", "CUDA_MAJOR", "CUDA_VERSION", "GGML_CUDA", "GGML_HIP",
    "GGML_NATIVE", "GGML_OPENMP", "GGML_VULKAN", "GPU_ARCH", "GPU_ARCH_LIST", "GPU_COUNT",
    "GPU_HEALTH_CHECK", "LLAMA_SERVER_BIN_PATH",
    "GPU_MEMORY_UTILIZATION", "GPU_NAME", "HF_USER", "HIP_ARCHITECTURES", "MORI_COMMIT",
    "PYTORCH_VERSION", "RAY_START_CMD", "RCCL_HOME", "ROCM_ARCH", "ROCM_DIR", "ROCM_GPU", "SGL_BRANCH",
    "TORCH_COMMAND", "TORCH_INDEX_URL", "TORCH_SPEC", "TORCH_VER", "TRITON_COMMIT", "UCX_HOME",
    "VLLM_API_BASE", "VLLM_COMMIT", "VLLM_VERSION",
}
# Other makers' devices, of which nothing runs on an AMD GPU; metrics, which are no settings.
FOREIGN = re.compile(r".*_(?:NPU|MPS|TPU|EFA)_|(?:CUDA_COREDUMP|NVIDIA_REQUIRE|GPU_ECC)_")
FIELD = re.compile(rf"(?:{'|'.join(PREFIXES)})_[A-Z0-9]")
# Lines that can matter: all patterns look at one line, and most lines name nothing of the field.
LINES = re.compile(rf"^.*\b(?:(?:{'|'.join(PREFIXES)})_[A-Z0-9]|(?:{'|'.join(sorted(WHOLE))})\b).*$",
                   re.M)

SHELL = [
    re.compile(rf"(?:^|[;&|(]|\bthen|\bdo|`)[ \t]*(?:export|setenv|declare -x)[ \t]+{NAME}(?==|[ \t])", re.M),
    re.compile(rf"^[ \t]*export[ \t]+(?:[A-Z]\w*=\S*[ \t]+)+{NAME}=", re.M),
    # NAME=value before a command, and behind env, sudo, srun or another one
    re.compile(rf"(?:^[ \t]*(?:[$>][ \t])?|\b(?:env|sudo|srun|RUN)[ \t]+|=\S*[ \t]+){NAME}=[^\s;&|]*(?=[ \t]+(?:\\$|[A-Za-z./$]))",
               re.M),
    re.compile(rf"(?:^|[ \t'\"])(?:-e|--env|-x|--genv)[ =]+['\"]?{NAME}="),
]
CONTAINER = [
    re.compile(rf"^[ \t]*ENV[ \t]+{NAME}[= \t]", re.M | re.I),
    re.compile(rf"^[ \t]*(?:ENV[ \t]+)?(?:[A-Z]\w*=\S*[ \t]+)*{NAME}=[^\n]*\\?$", re.M),
]
YAML = [
    re.compile(rf"^[ \t]*-?[ \t]*['\"]?{NAME}['\"]?[ \t]*:(?=[ \t]|$)", re.M),
    re.compile(rf"^[ \t]*-[ \t]*['\"]?{NAME}=", re.M),
    re.compile(rf"\bname:[ \t]*['\"]?{NAME}['\"]?[ \t]*(?:$|#|,|\}})", re.M),
]
PYTHON = [
    re.compile(rf"\bos\.environ\[['\"]{NAME}['\"]\][ \t]*=[^=]"),
    re.compile(rf"\b(?:os\.environ\.setdefault|os\.putenv|setenv|env\.setdefault)\([ \t]*['\"]{NAME}['\"]"),
    re.compile(rf"\benv\w*\[['\"]{NAME}['\"]\][ \t]*=[^=]"),
]
TABLE = [re.compile(rf"['\"]{NAME}['\"][ \t]*[:=,][ \t]*['\"\d-]")]
ASSIGNED = [re.compile(rf"^[ \t]*(?:Environment=['\"]?)?{NAME}=", re.M)]

BY_SUFFIX = {
    **dict.fromkeys((".sh", ".bash", ".slurm", ".sbatch", ".job", ".lsf", ".pbs", ".md", ".rst",
                     ".mdx", ".groovy", ".def", ".tmpl", ".mk"), SHELL),
    **dict.fromkeys((".env", ".envrc", ".service", ".conf"), SHELL + ASSIGNED),
    **dict.fromkeys((".dockerfile", ".rocm"), CONTAINER + SHELL),
    **dict.fromkeys((".yml", ".yaml", ".j2", ".tpl"), YAML + SHELL),
    **dict.fromkeys((".py", ".ipynb"), PYTHON + SHELL),
    **dict.fromkeys((".lua", ".eb", ".tcl", ".json", ".toml"), TABLE + SHELL),
}
CONTAINER_FILE = re.compile(r"(?:^|/)(?:Dockerfile|Containerfile)[^/]*$|/[^/]*[Dd]ockerfile[^/]*$")
SHELL_FILE = re.compile(r"(?:^|/)(?:Makefile|Jenkinsfile|\.env[^/]*|justfile)$")
SKIPPED = re.compile(r"(^|/)(third[-_]?party|external|vendor|deps|node_modules|submodules)/"
                     r"|(^|/)(package-lock|locales?|CHANGELOG)[^/]*$")


def patterns_for(path):
    if SKIPPED.search(path):
        return []
    if CONTAINER_FILE.search(path):
        return CONTAINER + SHELL
    if SHELL_FILE.search(path):
        return SHELL
    name = path.rsplit("/", 1)[-1]
    return BY_SUFFIX.get(name[name.rfind("."):], []) if "." in name else []


def is_of_the_field(name):
    if name in PRIVATE or FOREIGN.match(name):
        return False
    return name in WHOLE or FIELD.match(name) is not None


def names_set_in(path, text):
    """The names of the field that a file sets; shell variables that are not exported are none."""
    patterns = patterns_for(path)
    text = "\n".join(line[0] for line in LINES.finditer(text) if len(line[0]) <= LONGEST_LINE)
    found = {match["name"] for pattern in patterns for match in pattern.finditer(text)}
    return {name for name in found if is_of_the_field(name)}
