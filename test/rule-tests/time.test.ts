import { describe, expect, it } from "vitest";
import { FALLBACK, failuresOf, reports, runTests } from "./support.ts";

describe("the time of a test", () => {
  it("pass the pauses between attempts by themselves", async () => {
    const outcome = await runTests(
      `
      - id: lookup
        triggers: [dm.received]
        actions:
          - {http: {url: "https://a.example.test/"}, retry: {attempts: 3}, continue_on_error: true}
          - reply_dm: Nobody is there.
      `,
      `
      - name: three attempts
        http: [{match: {url: "https://a.example.test/"}, respond: {fail: timeout}}]
        events: [{dm.received: {from: ann, text: hi}}]
        expect: [{at: 0s, http: {}}, {http: {}}, {http: {}}, {reply_dm: {text: Nobody is there.}}]
        expect_open_runs: []
      `,
    );

    expect(reports(outcome)).toEqual(["passed"]);
  });

  it("draw other delays for another seed, and the same for the same", async () => {
    const rules = `
      - id: welcome
        triggers: [user.followed]
        actions: [{delay: {min: 1s, max: 4m}}, {reply_dm: hi}]
    `;
    const test = `
      - name: when
        events: [{user.followed: {from: ben}}]
        expect: [{reply_dm: {}}]
    `;
    const at = async (seed: number): Promise<number | undefined> => {
      const head = `version: 1\nrule_files: [rules.yaml]\nseed: ${seed}\nusers:\n  ben: {id: "2"}\n`;
      const { tests } = await runTests(rules, test, head);
      return tests[0]?.comparison.pairs[0]?.actual?.at;
    };

    expect(await at(1)).toBe(await at(1));
    expect(await at(1)).not.toBe(await at(2));
  });

  it.each([1_772_442_000_123, Number.MAX_SAFE_INTEGER])(
    "give each event an id of its own, also with the large seed %d",
    async (seed) => {
      const failures = await failuresOf(
        FALLBACK,
        `
        - name: three messages
          seed: ${seed}
          events:
            - {at: 0s, dm.received: {from: ann, text: a}}
            - {at: 1h, dm.received: {from: ann, text: b}}
            - {at: 2h, dm.received: {from: ann, text: c}}
          expect: [{at: 0s, reply_dm: {}}, {at: 1h, reply_dm: {}}, {at: 2h, reply_dm: {}}]
        `,
      );

      expect(failures).toEqual([]);
    },
  );

  it("run schedules, each at its times", async () => {
    const rules = `
      - id: morning
        triggers: [{trigger: schedule, cron: "0 9 * * mon-fri", zone: Europe/Berlin, id: at-nine}]
        actions:
          - count: {name: mornings, per: account, window: 7d}
          - create_post: "\${{ trigger.id }} on \${{ event.time }}"
          - delay: 1h
          - log: {message: an hour later}
      - id: third
        triggers: [{trigger: count.reached, of: mornings, at: 3}]
        actions: [{escalate: {queue: team, note: the third}}]
      - id: other
        account: somebody_else
        triggers: [{trigger: schedule, cron: "0 9 * * *", zone: UTC}]
        actions: [{create_post: never}]
    `;
    // the test begins on a Monday at ten in Berlin
    const outcome = await runTests(
      rules,
      `
      - name: three mornings
        advance_to: 74h
        expect:
          - {at: 23h, rule: morning, create_post: {text: "at-nine on 2026-03-03T08:00:00.000Z"}}
          - {at: 47h, rule: morning, create_post: {}}
          - {at: 71h, rule: morning, create_post: {}}
          - {at: 71h, rule: third, escalate: {note: the third}}
        expect_open_runs: []
      - name: a weekend has none
        advance_to: 1h
        expect: []
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });

  it("can lose the link and restore it", async () => {
    const rules = `
      - id: away
        triggers: [link.lost]
        actions: [{escalate: {queue: ops, note: "since \${{ link.since }}: \${{ link.reason }}"}}]
      - id: back
        triggers: [link.restored]
        conditions: [{link.lasted_seconds: {gte: 600}}]
        actions: [{escalate: {queue: ops, note: "back after \${{ link.lasted_seconds }} s"}}]
    `;
    const outcome = await runTests(
      rules,
      `
      - name: a long outage
        events:
          - {at: 0s, link.lost: {reason: status 503}}
          - {at: 9m, link.restored: {for: 10m}}
        expect:
          - {at: 0s, rule: away, escalate: {note: "since 2026-03-02T08:59:00.000Z: status 503"}}
          - {at: 9m, rule: back, escalate: {note: back after 600 s}}
      - name: a short one
        events: [{link.restored: {}}]
        expect: []
        expect_not_run: [{rule: back, because: condition}]
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });
});
