// SPDX-License-Identifier: MIT
#include "probe/workers.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "codec/json_text.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view key_prefix = "worker.";

constexpr Worker workers[] = {
    {"hsa", run_hsa_worker, why_not_hsa_here},
    {"hip", run_hip_worker},
    {"hiprtc", run_hiprtc_worker},
    {"rocm_smi", run_rocm_smi_worker},
    {"amd_smi", run_amd_smi_worker},
};

/// Bytes from a library may be anything; JSON is UTF-8.
std::string json_text(Json const& document) {
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::span<Worker const> all_workers() {
    return workers;
}

Worker const* find_worker(std::string_view name) {
    auto const* const found =
        std::find_if(std::begin(workers), std::end(workers),
                     [&](Worker const& worker) { return worker.name == name; });
    return found == std::end(workers) ? nullptr : found;
}

bool runs_alone(std::string_view name) {
    return name.ends_with("_smi");
}

std::string_view host_of_worker(std::string_view name) {
    return name == "hsa" || name == "hiprtc" ? "hip" : "";
}

std::string worker_key(std::string_view name) {
    return std::string(key_prefix).append(name);
}

bool is_worker_key(std::string_view key) {
    return key.starts_with(key_prefix);
}

std::string worker_reply(WorkerOutcome const& outcome) {
    auto status = outcome.status;
    auto detail = outcome.detail;
    auto answer = Json::array();
    for (auto const& line : outcome.answer) {
        auto value = parse_bounded<Json>(line);
        if (!value.is_discarded()) {
            answer.push_back(std::move(value));
        } else if (status == WorkerStatus::ok) {
            status = WorkerStatus::error;
            detail = "its answer is no JSON";
        }
    }
    Json reply{{"status", worker_status_name(status)}};
    if (outcome.signal != 0) reply["signal"] = outcome.signal;
    if (!detail.empty()) reply["detail"] = detail;
    reply["took_ms"] = outcome.took.count();
    if (!outcome.evidence.empty()) reply["evidence"] = outcome.evidence;
    reply["answer"] = std::move(answer);
    return json_text(reply);
}

std::string unasked_reply(std::string_view status, std::string_view detail) {
    return json_text({{"status", status}, {"detail", detail}, {"answer", Json::array()}});
}

}  // namespace rocmtune
