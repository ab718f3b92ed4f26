import { basename, dirname, resolve } from "node:path";
import { actionKind, isActionType } from "../../actions/actions.ts";
import { checkValue } from "../../config/check-value.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { ATTRIBUTION_FIELDS } from "../../actions/attributed-conversion.ts";
import { LOOKED_UP } from "../../events/looked-up.ts";
import type { Mistake, Problem } from "../../config/problem.ts";
import { type Part, type Path, readYaml, type YamlDocument } from "../../config/yaml-document.ts";
import type { Person } from "../../events/event.ts";
import { durationMs } from "../../system/duration.ts";
import { personOf, recordedEvents } from "./event-of.ts";
import { expectedField, fieldsOf, unknownPerson } from "./expected-field.ts";
import {
  type Expectation,
  type ExpectedField,
  type HttpMock,
  type LookupMock,
  type PlatformMock,
  type RuleTest,
  type RuleTestFile,
  seconds,
} from "./rule-test.ts";
import {
  doingOf,
  fieldsIn,
  SENT_WORDS,
  testFile,
  triggersIn,
  type WrittenExpectation,
  type WrittenLookup,
  type WrittenMatcher,
  type WrittenMock,
  type WrittenPlatformMock,
  type WrittenTest,
  type WrittenTests,
} from "./test-file.ts";
import { meantOutput, OTHER_FORMS } from "./other-forms.ts";
import { camelKeys } from "../../config/camel-keys.ts";
import { hoursOf, toLimits } from "../../config/settings.ts";
import { limits, limitsOfAccount, optOut } from "../../config/schema/restraint-schema.ts";
import { handleOf } from "../../text/handle.ts";

/** A parsed test file, or its problems. */
export interface ReadTests {
  readonly file: RuleTestFile | undefined;
  readonly problems: readonly Problem[];
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ["add  users:", 'add  users: { ann: { id: "1001" } }'],
  ["add  id:", 'add  id: "1001"'],
  ["add  from:", "add  from: ann"],
  ["add  respond:", "add  respond: { json: { … } }"],
]);

/** Completes the help of problems that are frequent in a first test file. */
function withExample(problem: Problem): Problem {
  const { help = "", column, length, sourceLine = "" } = problem;
  const isText = /\b(?:reply\w*|create_post|quote): +$/.test(sourceLine.slice(0, column - 1));
  const text = sourceLine.slice(column - 1, column - 1 + length);
  const isMap = help === "write a map:  NAME: VALUE" && isText;
  const form = isMap ? `write  { text: ${text} }` : EXAMPLES.get(help);
  return form === undefined ? problem : { ...problem, help: form };
}

/**
 * Parses a test file.
 *
 * @param path Path as the user entered it; shown in problems.
 * @param base Absolute folder from which `path` starts.
 */
export function readTests(text: string, path: string, base: string): ReadTests {
  const document = readYaml(text, path);
  if (document.problems.length > 0) return { file: undefined, problems: document.problems };
  const { value, problems } = checkValue(testFile, document, OTHER_FORMS);
  if (value === undefined) return { file: undefined, problems: problems.map(withExample) };
  const reader = new TestReader(document, value);
  reader.requireFiles(value, path);
  reader.requireOwnIds(value);
  const tests = value.tests.map((test, index) => reader.test(test, ["tests", index]));
  if (reader.problems.length > 0) return { file: undefined, problems: reader.problems };
  const absolute = (one: string): string => resolve(base, dirname(path), one);
  const { account, secrets, seed } = value;
  const { quiet_hours: quiet } = value;
  const own = value.limits && camelKeys(limitsOfAccount, value.limits);
  return {
    problems: [],
    file: {
      file: path,
      ruleFiles: value.rule_files.map(absolute),
      botFiles: value.bot_files.map(absolute),
      startAt: Date.parse(value.start_time),
      seed,
      account,
      secrets,
      limits: toLimits(camelKeys(limits, limits.parse({})), own),
      ...(value.opt_out && { optOut: camelKeys(optOut, value.opt_out) }),
      ...(quiet && { quietHours: hoursOf(quiet.zone, quiet.times) }),
      people: reader.people,
      tests,
    },
  };
}

class TestReader {
  readonly problems: Problem[] = [];
  readonly people: ReadonlyMap<string, Person>;
  readonly #document: YamlDocument;
  readonly #account: WrittenTests["account"];

  constructor(document: YamlDocument, { users, account }: WrittenTests) {
    this.#document = document;
    this.#account = account;
    this.people = new Map(
      Object.entries(users).map(([key, written]) => [key, personOf(key, written)]),
    );
  }

  /** Reports a file that names nothing to test, because its tests would fail, or pass, without a reason. */
  requireFiles({ rule_files: rules, bot_files: bots }: WrittenTests, file: string): void {
    if (rules.length + bots.length > 0) return;
    const message = "this file names no rule files and no bots to test";
    const help = `add  rule_files: [${basename(file).replace(/\.test(?=\.ya?ml$)/, "")}]`;
    this.#report([], { code: "missing-key", message, help });
  }

  /** Reports users with the same id: a test could not tell an answer to one of them from an answer to the other. */
  requireOwnIds({ users }: WrittenTests): void {
    const keys = new Map<string, string>();
    for (const [key, { id }] of Object.entries(users)) {
      const other = keys.get(id);
      if (other === undefined) keys.set(id, key);
      else {
        const message = `the users "${other}" and "${key}" have the same id`;
        const help = "give each user an id of their own";
        this.#report(["users", key, "id"], { code: "invalid-value", message, help });
      }
    }
  }

  /** Reports an event after the end of its test, because it would not happen. */
  #requireEventsBefore({ events, advance_to: end }: WrittenTest, path: Path): void {
    if (end === undefined) return;
    const last = Math.max(0, ...events.map(({ at }) => durationMs(at)));
    if (durationMs(end) >= last) return;
    const message = `the test ends at ${end}, and its last event is at ${seconds(last)}`;
    const help = `write  advance_to: ${seconds(last)}  or later`;
    this.#report([...path, "advance_to"], { code: "invalid-value", message, help });
  }

  test(written: WrittenTest, path: Path): RuleTest {
    this.#requireEventsBefore(written, path);
    return {
      name: written.name,
      line: this.#lineOf(path),
      events: written.events.flatMap((event, index) =>
        this.#event(event, [...path, "events", index]),
      ),
      http: written.http.flatMap((one, index) => this.#mock(one, [...path, "http", index])),
      platform: written.platform.flatMap((one, index) =>
        this.#platformMock(one, [...path, "platform", index]),
      ),
      lookups: written.lookups.flatMap((one, index) =>
        this.#lookup(one, [...path, "lookups", index]),
      ),
      expect: written.expect.flatMap((one, index) =>
        this.#expectation(one, [...path, "expect", index]),
      ),
      notRun: written.expect_not_run.map(({ at, rule, because }, index) => ({
        line: this.#lineOf([...path, "expect_not_run", index]),
        rule,
        at: at === undefined ? undefined : durationMs(at),
        because,
      })),
      ...(written.expect_open_runs !== undefined && {
        openRuns: written.expect_open_runs.map(({ rule, bot, waiting_at: waitingAt }) => ({
          owner: rule === undefined ? bot && `bot:${bot}` : `rule:${rule}`,
          waitingAt,
        })),
      }),
      failedRuns: written.expect_failed_runs.map(({ at, rule, bot, error }, index) => {
        const place = [...path, "expect_failed_runs", index];
        return {
          line: this.#lineOf(place),
          at: at === undefined ? undefined : durationMs(at),
          owner: rule === undefined ? bot && `bot:${bot}` : `rule:${rule}`,
          error: error === undefined ? undefined : this.#field("error", error, place)[0],
        };
      }),
      ...(written.seed !== undefined && { seed: written.seed }),
      ...(written.advance_to !== undefined && { advanceTo: durationMs(written.advance_to) }),
    };
  }

  #event(written: WrittenTest["events"][number], path: Path): RuleTest["events"] {
    const [first, second] = triggersIn(written);
    const { delivery } = written;
    if (delivery !== undefined && first === undefined) {
      const body = typeof delivery === "string" ? parsed(delivery) : delivery;
      const mistake = this.#deliveryMistake(body);
      if (mistake !== undefined) return this.#report([...path, "delivery"], mistake);
      return [{ at: durationMs(written.at), delivery: body }];
    }
    if (delivery !== undefined) {
      const message = '"delivery" replaces the event: an item has one of the two';
      const help = 'start it with "- ", as an event of its own';
      return this.#report([...path, "delivery"], { code: "two-events", message, help }, "key");
    }
    if (first === undefined) {
      const message = "this event has no trigger";
      const help = "write  {at: 0s, dm.received: {from: ann, text: hello}}";
      return this.#report(path, { code: "no-trigger", message, help });
    }
    if (second !== undefined) {
      const [name] = second;
      const message = `"${name}" is a second event in one list item`;
      const help = 'start it with "- ", as an event of its own';
      return this.#report([...path, name], { code: "two-events", message, help }, "key");
    }
    const doing = doingOf(...first);
    const at = durationMs(written.at);
    if (!("from" in doing)) return [{ at, doing }];
    const person = this.people.get(doing.from);
    if (person === undefined) {
      return this.#report([...path, doing.trigger, "from"], unknownPerson(doing.from, this.people));
    }
    return [{ at, doing, person }];
  }

  /** Mistake in a recorded delivery: its body can't be read, or it is for another account. */
  #deliveryMistake(delivery: object): Mistake | undefined {
    const account = this.#account;
    const events = recordedEvents(delivery, { account, at: 0 });
    const unread = events.find((event) => event.kind === "unrecognised");
    if (events.length === 0 || unread !== undefined) {
      const reason = unread?.kind === "unrecognised" ? `: ${unread.reason}` : "";
      const help = "paste the whole body of a webhook delivery, as  delivery: |  and JSON below it";
      return {
        code: "no-delivery",
        message: `this is not a delivery of the platform${reason}`,
        help,
      };
    }
    const other = events.find(({ accountId }) => accountId !== account.id);
    if (other === undefined) return undefined;
    const message = `this delivery is for the account ${other.accountId}, and the tests are of ${account.id}`;
    const help = `write at the top:  account: {id: "${other.accountId}", username: …}`;
    return { code: "other-account", message, help };
  }

  #expectation(written: WrittenExpectation, path: Path): readonly Expectation[] {
    const { at, rule, bot } = written;
    const [word, second] = SENT_WORDS.filter((one) => written[one] !== undefined);
    if (word === undefined) {
      const message = "this expectation names no action";
      const help = "write  {at: 0s, reply_dm: {to: ann, text: {contains: hello}}}";
      return this.#report(path, { code: "nothing-expected", message, help });
    }
    if (second !== undefined) {
      const message = `"${second}" is a second expectation in one list item`;
      const help = 'start it with "- ", as an expectation of its own';
      return this.#report([...path, second], { code: "two-expectations", message, help }, "key");
    }
    const owner = rule === undefined ? bot && `bot:${bot}` : `rule:${rule}`;
    return [
      {
        line: this.#lineOf(path),
        at: at === undefined ? undefined : durationMs(at),
        owner,
        word,
        fields: this.#fields(word, fieldsIn(written[word]), [...path, word]),
      },
    ];
  }

  #mock({ match, respond, times }: WrittenMock, path: Path): readonly HttpMock[] {
    const { fail, json, body } = respond;
    const [first, second] = Object.keys(respond).filter((key) => key !== "status");
    if (second !== undefined) {
      const message = `"${first}" and "${second}" both set the response of the service`;
      const help = "keep one";
      return this.#report(
        [...path, "respond", second],
        { code: "two-answers", message, help },
        "key",
      );
    }
    const matchers = Object.fromEntries(
      Object.entries(match).flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])),
    );
    const text = body ?? (json === undefined ? "" : JSON.stringify(json));
    const answer = { status: respond.status ?? 200, text, ...(json !== undefined && { json }) };
    return [
      {
        match: this.#fields("http", matchers, [...path, "match"]),
        respond: fail === undefined ? answer : { fails: fail },
        times,
      },
    ];
  }

  #platformMock(written: WrittenPlatformMock, path: Path): readonly PlatformMock[] {
    const { match, respond, times } = written;
    const verbs = Object.keys(match).filter(isActionType);
    const [word, second] = verbs;
    if (word === undefined || second !== undefined) {
      const message = "an answer of the platform is for one verb";
      const help = "write  match: {report_conversion: {}}";
      return this.#report([...path, "match"], { code: "nothing-expected", message, help });
    }
    const names = Object.keys(actionKind(word).result.fields);
    for (const name of Object.keys(respond)) {
      if (names.includes(name)) continue;
      const guess = didYouMean(name, names);
      const help =
        guess === undefined ? `known here: ${names.join(", ")}` : `did you mean "${guess}"?`;
      const message = `the result of ${word} has no field "${name}"`;
      return this.#report(
        [...path, "respond", name],
        { code: "unknown-key", message, help },
        "key",
      );
    }
    const fields = this.#fields(word, fieldsIn(match[word]), [...path, "match", word]);
    return [{ word, match: fields, respond, times }];
  }

  #lookup(written: WrittenLookup, path: Path): readonly LookupMock[] {
    const { user, username, post, attribution, found: result, fail } = written;
    const keys = (["user", "username", "post", "attribution"] as const).filter(
      (key) => written[key],
    );
    if (keys.length !== 1) {
      const message = "this does not name one person, one post or one attribution";
      const help = "write one of  user: ann,  username: ann,  post: ID  or  attribution: {…}";
      return this.#report(path, { code: "missing-key", message, help });
    }
    if ((result === undefined) === (fail === undefined)) {
      const message = "this does not say one answer of the platform";
      const help = "write  found: {followers_count: 12}  or  fail: not-found";
      return this.#report(path, { code: "two-answers", message, help });
    }
    const of = attribution ? "attribution" : post === undefined ? "user" : "post";
    const names =
      of === "attribution" ? Object.keys(ATTRIBUTION_FIELDS) : [...LOOKED_UP[of].keys()];
    const unknown = Object.keys(result ?? {}).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      const guess = didYouMean(unknown, names);
      const help =
        guess === undefined ? `known here: ${names.join(", ")}` : `did you mean "${guess}"?`;
      const message = `${of === "attribution" ? "an" : "a"} ${of} has no field "${unknown}"`;
      const mistake = { code: "unknown-key", message, help };
      return this.#report([...path, "found", unknown], mistake, "key");
    }
    const answer = fail ?? result ?? {};
    if (of === "attribution") {
      const match = this.#fields(of, fieldsIn(attribution), [...path, of]);
      return [{ of, match, answer }];
    }
    const name =
      post ?? (username && handleOf(username)) ?? this.people.get(user ?? "")?.id ?? user;
    return name === undefined ? [] : [{ of, name, answer }];
  }

  #fields(
    word: string,
    written: Readonly<Record<string, WrittenMatcher>>,
    path: Path,
  ): readonly ExpectedField[] {
    const names = fieldsOf(word);
    return Object.entries(written).flatMap(([name, matcher]): readonly ExpectedField[] => {
      if (!names.includes(name)) {
        const message = `unknown key "${name}" of ${word}`;
        const guess = meantOutput(name, names) ?? didYouMean(name, names);
        const help =
          guess === undefined ? `known here: ${names.join(", ")}` : `did you mean "${guess}"?`;
        return this.#report([...path, name], { code: "unknown-key", message, help }, "key");
      }
      return this.#field(name, matcher, path);
    });
  }

  /** @param path Path of the map that has the field. */
  #field(name: string, matcher: WrittenMatcher, path: Path): readonly ExpectedField[] {
    const field = expectedField(name, matcher, this.people);
    return "code" in field ? this.#report([...path, name], field) : [field];
  }

  #lineOf(path: Path): number {
    return this.#document.linesOf(path)[0];
  }

  #report(path: Path, mistake: Mistake, part?: Part): readonly never[] {
    this.problems.push(this.#document.problemAt(path, mistake, part));
    return [];
  }
}

/** Parses JSON text; returns an empty delivery if the text is no JSON object. */
function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
