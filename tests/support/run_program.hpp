// SPDX-License-Identifier: MIT
// Program: one run of the real binary: arguments, environment, streams or a terminal, a deadline.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/posix_file.hpp"
#include "support/hosts.hpp"
#include "support/pseudo_terminal.hpp"

namespace rocmtune::test {

/// How a run ended.
struct Outcome {
    int code = -1;      ///< exit code, -1 if a signal ended it
    int signal = 0;     ///< that signal
    bool late = false;  ///< the deadline passed and it was killed
    std::string out;    ///< standard output, or what a terminal got
    std::string err;
};

/// A file's content; empty if it cannot be read, as a file of /proc while its process ends.
inline std::string content_of(std::filesystem::path const& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

inline void write_file(std::filesystem::path const& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

/// A directory of its own for one test, removed at the end.
class Directory {
  public:
    Directory() {
        auto pattern = (std::filesystem::temp_directory_path() / "rocmtune-cli-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
        path_ = pattern;
    }
    Directory(Directory const&) = delete;
    Directory& operator=(Directory const&) = delete;
    ~Directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string operator/(std::string_view name) const { return (path_ / name).string(); }
    std::string path() const { return path_.string(); }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (auto const& entry : std::filesystem::directory_iterator(path_))
            names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    std::filesystem::path path_;
};

/// What a child starts with. Its environment is this map and nothing of the test's own, so that a
/// test means the same on every machine.
struct Launch {
    std::vector<std::string> words;  ///< the command line, program first
    std::map<std::string, std::string> environment{{"PATH", "/usr/bin:/bin"},
                                                   {"LC_ALL", "C.UTF-8"}};
    std::string directory;       ///< working directory; empty: the test's own
    std::string output;          ///< file that standard output goes to
    std::string error_output;    ///< file that standard error goes to
    std::vector<int> closed;     ///< standard streams that are closed
    unsigned short columns = 0;  ///< width of a terminal as standard output; 0: a pipe
    uid_t user = 0;              ///< another user, for a test that runs as root
};

/// A started child; it does not outlive this object.
class Running {
  public:
    explicit Running(Launch const& launch) {
        auto out = launch.columns > 0 ? terminal(launch.columns) : pipe();
        auto err = pipe();
        out_ = std::move(out[0]);
        err_ = std::move(err[0]);
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error("fork failed");
        if (pid_ == 0) start(launch, out[1].get(), err[1].get());
    }
    Running(Running const&) = delete;
    Running& operator=(Running const&) = delete;
    ~Running() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

    pid_t pid() const { return pid_; }
    void send(int signal) const { ::kill(pid_, signal); }
    void stop_reading() { out_ = FileDescriptor(); }
    std::string const& out() const { return outcome_.out; }

    /// Reads until `done` is true of standard output, both streams ended, or the deadline passed.
    bool read_until(std::function<bool(std::string const&)> const& done) {
        while (!done(outcome_.out)) {
            std::array<pollfd, 2> streams{pollfd{out_.get(), POLLIN, 0},
                                          pollfd{err_.get(), POLLIN, 0}};
            if (!out_ && !err_) return false;
            if (::poll(streams.data(), streams.size(), milliseconds_left()) <= 0) return false;
            if (streams[0].revents != 0) take(out_, outcome_.out);
            if (streams[1].revents != 0) take(err_, outcome_.err);
        }
        return true;
    }

    Outcome finish() {
        (void)read_until([](std::string const&) { return false; });
        int status = 0;
        while (::waitpid(pid_, &status, WNOHANG) == 0) {
            if (milliseconds_left() == 0) {
                outcome_.late = true;
                ::kill(pid_, SIGKILL);
            }
            ::usleep(500);
        }
        pid_ = -1;
        if (WIFEXITED(status)) outcome_.code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) outcome_.signal = WTERMSIG(status);
        return std::move(outcome_);
    }

  private:
    using Clock = std::chrono::steady_clock;
    using Pair = std::array<FileDescriptor, 2>;  ///< our end, the child's end

    static Pair pipe() {
        int fds[2];
        if (::pipe2(fds, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
        return {FileDescriptor(fds[0]), FileDescriptor(fds[1])};
    }

    static Pair terminal(unsigned short columns) {
        auto terminal = open_pseudo_terminal(columns);
        if (!terminal.slave) throw std::runtime_error(terminal.reason);
        return {std::move(terminal.master), std::move(terminal.slave)};
    }

    [[noreturn]] static void start(Launch const& launch, int out, int err) {
        ::signal(SIGPIPE, SIG_DFL);
        if (!launch.output.empty())
            out = ::open(launch.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (!launch.error_output.empty())
            err =
                ::open(launch.error_output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
        ::dup2(out, 1);
        ::dup2(err, 2);
        for (int const fd : launch.closed) ::close(fd);
        if (!launch.directory.empty() && ::chdir(launch.directory.c_str()) != 0) ::_exit(99);
        if (launch.user != 0 && ::setresuid(launch.user, launch.user, launch.user) != 0)
            ::_exit(99);
        std::vector<std::string> variables;
        for (auto const& [name, value] : launch.environment)
            variables.push_back(name + '=' + value);
        auto words = launch.words;
        ::execve(words[0].c_str(), pointers(words).data(), pointers(variables).data());
        ::_exit(99);
    }

    static std::vector<char*> pointers(std::vector<std::string>& texts) {
        std::vector<char*> result;
        for (auto& text : texts) result.push_back(text.data());
        result.push_back(nullptr);
        return result;
    }

    static void take(FileDescriptor& fd, std::string& text) {
        std::array<char, 65536> buffer;
        auto const count = ::read(fd.get(), buffer.data(), buffer.size());
        // The end of a terminal shows as EIO.
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR) fd = FileDescriptor();
    }

    int milliseconds_left() const {
        using std::chrono::milliseconds;
        auto const left =
            std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now()).count();
        return static_cast<int>(std::max<milliseconds::rep>(left, 0));
    }

    FileDescriptor out_;
    FileDescriptor err_;
    pid_t pid_ = -1;
    /// For programs that hang. ThreadSanitizer slows down ten times and more.
#if defined(ROCMTUNE_SLOWED_BY_TSAN)
    static constexpr std::chrono::minutes patience{5};
#else
    static constexpr std::chrono::seconds patience{120};
#endif
    Clock::time_point deadline_ = Clock::now() + patience;
    Outcome outcome_;
};

/// The launch of rocmtune with these arguments.
inline Launch rocmtune_with(std::vector<std::string> words) {
    Launch launch;
    words.insert(words.begin(), ROCMTUNE_BINARY);
    launch.words = std::move(words);
    for (auto const* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"})
        if (char const* const value = std::getenv(name)) launch.environment[name] = value;
    return launch;
}

/// AddressSanitizer must be loaded before any preloaded library.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool can_preload = false;
#else
inline constexpr bool can_preload = true;
#endif

/// A sanitizer would turn the signals of faults into exits of its own.
inline void leave_signals_alone(Launch& launch) {
    for (auto const* name : {"ASAN_OPTIONS", "TSAN_OPTIONS"})
        launch.environment[name] = "handle_segv=0:handle_abort=0:handle_sigbus=0";
}

inline Outcome run(Launch const& launch) {
    return Running(launch).finish();
}

inline Outcome run(std::vector<std::string> words) {
    return run(rocmtune_with(std::move(words)));
}

/// A test host's description.
inline std::string host_file(std::string const& name) {
    return std::string(ROCMTUNE_SOURCE_DIR) + "/tests/hosts/" + name + "/host";
}

}  // namespace rocmtune::test
