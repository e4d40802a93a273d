// SPDX-License-Identifier: MIT
#include "measure/watched_command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "machine/child.hpp"
#include "machine/environment_change.hpp"
#include "machine/posix_file.hpp"
#include "measure/gpu_watch.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

// ---- signals
// --------------------------------------------------------------------------------------

/// What the keyboard sends reaches the command by itself, since it stays in our process group: we
/// outlive it to say why it ended. What others send to us alone is passed on.
class PassedSignals {
  public:
    PassedSignals() {
        sigset_t set;
        ::sigemptyset(&set);
        for (int const signal :
             {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH, SIGCHLD, SIGINT, SIGQUIT})
            ::sigaddset(&set, signal);
        ::pthread_sigmask(SIG_BLOCK, &set, &before_);
        file_ = above_standard(FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)));
    }
    PassedSignals(PassedSignals const&) = delete;
    PassedSignals& operator=(PassedSignals const&) = delete;
    ~PassedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    int file() const { return file_.get(); }
    sigset_t const& before() const { return before_; }

    /// Passes on what came since and the kernel did not send itself. Whether the terminal has
    /// another size now.
    bool pass_on(pid_t command) {
        bool resized = false;
        signalfd_siginfo info{};
        while (::read(file_.get(), &info, sizeof info) == sizeof info) {
            int const signal = static_cast<int>(info.ssi_signo);
            if (signal == SIGWINCH) resized = true;
            else if (signal != SIGCHLD && info.ssi_code <= 0) ::kill(command, signal);
        }
        return resized;
    }

  private:
    sigset_t before_{};
    FileDescriptor file_;
};

// ---- the streams of the command
// ---------------------------------------------------------------------

/// One way from the command to a file of ours.
struct Stream {
    FileDescriptor from;  ///< what the command writes is read here
    int to = -1;          ///< 1 or 2
    bool is_terminal = false;
};

bool same_file(int one, int other) {
    struct stat a {
    }, b{};
    return ::fstat(one, &a) == 0 && ::fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino && a.st_rdev == b.st_rdev;
}

void copy_size(int from, int to) {
    winsize size{};
    if (::ioctl(from, TIOCGWINSZ, &size) == 0) (void)::ioctl(to, TIOCSWINSZ, &size);
}

/// A terminal that changes no byte: the real one behind it does what terminals do. False: there are
/// none here.
bool open_terminal(int real, Pipe& pair) {
    FileDescriptor ours(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    std::array<char, 128> name{};
    if (!ours || ::grantpt(ours.get()) != 0 || ::unlockpt(ours.get()) != 0 ||
        ::ptsname_r(ours.get(), name.data(), name.size()) != 0)
        return false;
    FileDescriptor theirs(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios modes{};
    if (!theirs || ::tcgetattr(theirs.get(), &modes) != 0) return false;
    modes.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    if (::tcsetattr(theirs.get(), TCSANOW, &modes) != 0) return false;
    copy_size(real, theirs.get());
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    pair = {above_standard(std::move(ours)), above_standard(std::move(theirs))};
    return true;
}

/// The streams, and in `ends` what becomes 1 and 2 of the command.
std::vector<Stream> open_streams(std::array<FileDescriptor, 2>& ends, bool& joined) {
    std::vector<Stream> streams;
    joined = same_file(STDOUT_FILENO, STDERR_FILENO);
    for (int const file : {STDOUT_FILENO, STDERR_FILENO}) {
        if (file == STDERR_FILENO && joined) break;  // one way keeps the order of both
        Pipe pair;
        bool const terminal = ::isatty(file) == 1 && open_terminal(file, pair);
        if (!terminal && !open_pipe(pair))
            throw Error("cannot make a pipe for the command: " + errno_text(errno), {},
                        Exit::undetermined);
        streams.push_back({std::move(pair.read_end), file, terminal});
        ends[static_cast<std::size_t>(file - 1)] = std::move(pair.write_end);
    }
    return streams;
}

// ---- the command
// ------------------------------------------------------------------------------------

/// In the child: never returns.
[[noreturn]] void become(std::vector<char*> const& words, std::array<int, 2> files,
                         sigset_t const& signals, int report) {
    if (::dup2(files[0], STDOUT_FILENO) >= 0 && ::dup2(files[1], STDERR_FILENO) >= 0) {
        ::sigprocmask(SIG_SETMASK, &signals, nullptr);
        ::execvp(words[0], words.data());
    }
    int const error = errno;
    (void)!::write(report, &error, sizeof error);
    ::_exit(127);
}

/// The process, or -1 with `error`. Only between fork and exec does the child run code of ours.
pid_t start(WatchedCommand const& command, std::array<int, 2> files, sigset_t const& signals,
            int& error) {
    auto words_copy = command.words;
    auto const words = pointers_to(words_copy);
    Pipe begin;
    if (!open_pipe(begin)) return error = errno, -1;
    pid_t const pid = ::fork();
    if (pid == 0) become(words, files, signals, begin.write_end.get());
    if (pid < 0) return error = errno, -1;
    begin.write_end = FileDescriptor();
    pollfd wait{begin.read_end.get(), POLLIN, 0};
    while (::poll(&wait, 1, -1) < 0 && errno == EINTR) {
    }
    if (::read(begin.read_end.get(), &error, sizeof error) != sizeof error) error = 0;
    return pid;
}

/// The last bytes of what was printed.
class Ring {
  public:
    explicit Ring(std::size_t most) : most_(most) {}
    void add(std::string_view text) {
        text_ += text;
        if (text_.size() > 2 * most_) text_.erase(0, text_.size() - most_);
    }
    std::string take() {
        if (text_.size() > most_) text_.erase(0, text_.size() - most_);
        return std::move(text_);
    }
    std::string const& text() const { return text_; }

  private:
    std::size_t most_;
    std::string text_;
};

class Watch {
  public:
    explicit Watch(WatchedCommand const& command) : command_(command), ring_(command.keep_bytes) {}

    WatchedEnd run() {
        std::array<FileDescriptor, 2> ends;
        bool joined = false;
        streams_ = open_streams(ends, joined);
        std::array<int, 2> const files{ends[0].get(), joined ? ends[0].get() : ends[1].get()};
        WatchedEnd end;
        pid_ = start(command_, files, signals_.before(), end.start_error);
        for (auto& one : ends) one = FileDescriptor();
        if (pid_ < 0) return end;
        gpus_.emplace(pid_);
        int const status = wait();
        drain();
        end.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        end.output = ring_.take();
        (void)gpus_->take();
        end.gpus = gpus_->activity();
        return end;
    }

  private:
    int wait() {
        auto last = Clock::now();
        for (;;) {
            std::vector<pollfd> files{{signals_.file(), POLLIN, 0}};
            for (auto const& stream : streams_)
                if (stream.from) files.push_back({stream.from.get(), POLLIN, 0});
            if (gpus_->file() >= 0) files.push_back({gpus_->file(), POLLIN, 0});
            (void)::poll(files.data(), files.size(), timeout(last));
            if (signals_.pass_on(pid_)) resize();
            for (auto& stream : streams_)
                if (pass(stream)) last = Clock::now();
            if (gpus_->take()) last = Clock::now();
            int status = 0;
            pid_t const got = ::waitpid(pid_, &status, WNOHANG);
            if (got == pid_ || (got < 0 && errno != EINTR)) return status;
            if (is_due(last)) say_silent();
        }
    }

    bool waits_for_silence() const { return command_.silence && command_.when_silent && !said_; }
    bool is_due(Clock::time_point last) const {
        return waits_for_silence() && Clock::now() - last >= *command_.silence;
    }
    int timeout(Clock::time_point last) const {
        if (!waits_for_silence()) return -1;
        auto const left =
            std::chrono::ceil<std::chrono::milliseconds>(last + *command_.silence - Clock::now());
        return static_cast<int>(
            std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 1 << 30));
    }
    void say_silent() {
        said_ = true;
        command_.when_silent(ring_.text(), gpus_->activity());
    }

    /// Whether something came. Where our own output is closed, the command's is closed, too: it is
    /// told as it would be without us.
    bool pass(Stream& stream) {
        bool broken = false;
        bool const came = read_once(stream.from, [&](std::string_view text) {
            ring_.add(text);
            broken = write_all(stream.to, text) != 0;
        });
        if (broken) stream.from = FileDescriptor();
        return came;
    }

    /// What the command left in its pipes; a descendant may hold them for ever, and is not waited
    /// for.
    void drain() {
        for (auto& stream : streams_)
            for (int turn = 0; turn < turns_of_a_pipe && pass(stream); ++turn) {
            }
    }

    void resize() {
        for (auto const& stream : streams_)
            if (stream.is_terminal && stream.from) copy_size(stream.to, stream.from.get());
    }

    WatchedCommand const& command_;
    DefaultSigchld sigchld_;
    PassedSignals signals_;
    std::vector<Stream> streams_;
    Ring ring_;
    pid_t pid_ = -1;
    std::optional<GpuWatch> gpus_ = {};
    bool said_ = false;
};

}  // namespace

WatchedEnd watch(WatchedCommand const& command) {
    return Watch(command).run();
}

}  // namespace rocmtune
