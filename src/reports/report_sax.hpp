// SPDX-License-Identifier: MIT
// The events of a JSON parser, sorted into a ReadReport as they come: no tree is built.
#pragma once

#include <set>

#include <nlohmann/json.hpp>

#include "base/json_mistake.hpp"
#include "reports/report.hpp"

namespace rocmtune {

class ReportSax {
  public:
    ReportSax(ReadReport& report, ReportParts parts) : report_(report), parts_(parts) {}

    bool null() { return value({}); }
    bool boolean(bool truth) { return value(truth); }
    bool number_integer(std::int64_t number) { return value(number); }
    bool number_unsigned(std::uint64_t number) { return value(number); }
    bool number_float(double number, std::string const&) { return value(number); }
    /// The parser goes on with the text's memory where nobody takes it.
    bool string(std::string& text) { return is_left_out() ? value({}) : value(std::move(text)); }
    bool binary(nlohmann::json::binary_t&) { return fail("it holds binary data"); }
    bool start_object(std::size_t) { return open(true); }
    bool start_array(std::size_t) { return open(false); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name);
    bool parse_error(std::size_t position, std::string const&,
                     nlohmann::json::exception const& error) {
        error_position_ = position;
        mistake_ = json_mistake(error.what());
        return false;
    }

    /// What is wrong besides the syntax; empty: nothing.
    std::string const& problem() const { return problem_; }
    /// The byte at which it stopped being JSON, from 1.
    std::size_t error_position() const { return error_position_; }
    /// What is wrong there.
    std::string const& mistake() const { return mistake_; }
    bool is_ours() const { return schema_ == "rocmtune-report"; }
    bool is_object() const { return is_object_; }

  private:
    /// What the innermost object or array is.
    enum class Place : unsigned char {
        skipped,
        document,
        tool,
        summary,
        host,
        gpus,
        gpu,
        reasons,
        map,
        names,
        records,
        record,
        record_list,
        findings,
        finding,
        recommendations,
        recommendation,
        measurements,
        measurement,
        samples,
        labels,
        parameters,
    };

    bool open(bool is_object);
    bool close();
    bool value(PlainValue value);
    bool fail(std::string problem);
    bool is_left_out() const;

    Place place_of(bool is_object);
    Place place_in_document(bool is_object) const;
    Place place_in_facts(bool is_object);
    Place place_in_measurement(bool is_object);
    void enter(Place place);
    bool take_fact_key(std::string const& name);
    bool take_document_key(std::string const& name);
    bool take_map_key(std::string const& name);
    void take_in_facts(PlainValue value);
    void take_reason(std::string reason);
    void take_name(PlainValue const& value);
    bool take_in_record(PlainValue value);
    bool take_in_list(PlainValue const& value);
    void take_in_finding(PlainValue const& value);
    void take_in_measurement(PlainValue const& value);
    void finish_record();
    void finish_facts();
    bool within(std::size_t count, std::size_t most, std::string_view what);

    ReadFacts& facts() { return in_gpu_ ? report_.gpus.back() : report_.host; }
    std::vector<FactWord const*>& unlimited_words() {
        return in_gpu_ ? unlimited_gpu_ : unlimited_host_;
    }
    void add(std::string path, PlainValue value) {
        facts().facts.push_back({std::move(path), std::move(value)});
    }

    ReadReport& report_;
    ReportParts parts_;
    std::vector<Place> places_ = {};
    std::string key_ = {};
    FactWord const* word_ = nullptr;  ///< the fact that is being read; null: an unknown one
    bool in_gpu_ = false;
    bool seen_gpus_ = false;
    std::size_t first_entry_ = 0;  ///< of the map that is being read, in facts().facts
    std::vector<bool> seen_host_ = {};
    std::vector<bool> seen_gpu_ = {};
    std::set<std::string> seen_document_ = {};
    std::vector<FactWord const*> unlimited_host_ = {};  ///< facts whose reason is "unlimited"
    std::vector<FactWord const*> unlimited_gpu_ = {};
    std::size_t records_ = 0;            ///< of the fact that is being read
    std::vector<ReadFact> record_ = {};  ///< members of the record that is being read
    std::size_t list_values_ = 0;        ///< of the list in that record
    std::size_t values_ = 0;
    std::string problem_ = {};
    std::size_t error_position_ = 0;
    std::string mistake_ = {};
    std::string schema_ = {};
    bool is_object_ = false;
};

}  // namespace rocmtune
