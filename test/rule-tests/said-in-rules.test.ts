import { describe, expect, it } from "vitest";
import { failuresOf } from "./support.ts";

describe("a reminder", () => {
  const REMIND = `
    - id: remind
      triggers: [dm.received]
      conditions:
        - message.text: {matches: '^remind me in (?P<time>.+?) to (?P<what>.+)'}
      mode: parallel
      actions:
        - delay: \${{ captures.time }}
          on_error:
            - reply_dm: "I don't know how long that is."
            - stop: no time
        - reply_dm: "Remember: \${{ captures.what }}"
  `;

  it("comes after the time that the person writes", async () => {
    const failures = await failuresOf(
      REMIND,
      `
      - name: three of them
        events:
          - {at: 0s, dm.received: {from: ann, text: "Remind me in 2 hours to call Ben"}}
          - {at: 1m, dm.received: {from: ann, text: "remind me in 10 min to eat"}}
          - {at: 2m, dm.received: {from: ben, text: "remind me in 1 day to sleep"}}
        expect:
          - {at: 2h, reply_dm: {to: ann, text: "Remember: call Ben"}}
          - {at: 11m, reply_dm: {to: ann, text: "Remember: eat"}}
          - {at: 1442m, reply_dm: {to: ben, text: "Remember: sleep"}}
        expect_open_runs: []
      - name: one without a time
        events: [{dm.received: {from: ann, text: "remind me in a while to call Ben"}}]
        expect: [{at: 0s, reply_dm: {text: "I don't know how long that is."}}]
        expect_open_runs: []
      `,
    );

    expect(failures).toEqual([]);
  });

  it("comes at the time that an expression gives", async () => {
    const failures = await failuresOf(
      `
      - id: tomorrow
        triggers: [dm.received]
        actions:
          - delay_until: \${{ timestamp(now) + duration("36h") }}
          - reply_dm: Did it work?
          - delay_until: 2026-03-01T00:00:00Z
          - reply_dm: This time is over.
      `,
      `
      - name: a day and a half later
        events: [{dm.received: {from: ann, text: hello}}]
        expect:
          - {at: 36h, reply_dm: {text: Did it work?}}
          - {at: 36h, reply_dm: {text: This time is over.}}
      `,
    );

    expect(failures).toEqual([]);
  });
});

describe("a draw", () => {
  it("has the outcome that the seed of the test gives", async () => {
    const failures = await failuresOf(
      `
      - id: prize
        triggers: [dm.received]
        actions:
          - {if: chance(0.5), then: [{reply_dm: You win!}], else: [{reply_dm: Not this time.}]}
      `,
      `
      - name: won
        seed: 1
        events: [{dm.received: {from: ann, text: hello}}]
        expect: [{reply_dm: {text: You win!}}]
      - name: lost
        seed: 3
        events: [{dm.received: {from: ann, text: hello}}]
        expect: [{reply_dm: {text: Not this time.}}]
      `,
    );

    expect(failures).toEqual([]);
  });
});

describe("a vote", () => {
  const VOTES = `
    - id: vote
      triggers: [dm.received]
      conditions: [{message.text: {matches: '^vote (?P<choice>.+)'}}]
      actions:
        - id: votes
          count: {name: votes, key: "\${{ captures.choice }}", window: 30d}
        - reply_dm: "\${{ captures.choice }}: \${{ steps.votes.result }} votes of \${{ steps.votes.people }} people"
    - id: popular
      triggers: [{trigger: count.reached, of: votes, at: 3}]
      actions:
        - create_post: "\${{ count.value }} votes for \${{ count.key }}, of \${{ count.people }} people"
  `;

  it("is counted by its text, in any case, with the people who gave it", async () => {
    const failures = await failuresOf(
      VOTES,
      `
      - name: tea and coffee
        events:
          - {at: 0s, dm.received: {from: ann, text: "vote tea"}}
          - {at: 1m, dm.received: {from: ben, text: "Vote TEA"}}
          - {at: 2m, dm.received: {from: ben, text: "vote coffee"}}
          - {at: 3m, dm.received: {from: ann, text: "vote Tea"}}
          - {at: 31d, dm.received: {from: ann, text: "vote tea"}}
        expect:
          - {at: 0s, reply_dm: {to: ann, text: "tea: 1 votes of 1 people"}}
          - {at: 1m, reply_dm: {to: ben, text: "TEA: 2 votes of 2 people"}}
          - {at: 2m, reply_dm: {to: ben, text: "coffee: 1 votes of 1 people"}}
          - {at: 3m, reply_dm: {to: ann, text: "Tea: 3 votes of 2 people"}}
          - {at: 3m, create_post: {text: "3 votes for tea, of 2 people"}}
          - {at: 31d, reply_dm: {to: ann, text: "tea: 1 votes of 1 people"}}
      `,
    );

    expect(failures).toEqual([]);
  });
});

describe("a table of the best", () => {
  it("lists each person once, the most points first", async () => {
    const failures = await failuresOf(
      `
      - id: points
        triggers: [dm.received]
        conditions: [{message.text: {matches: '^(?P<points>\\d{1,4})$'}}]
        actions:
          - id: score
            increment: {state.sender.score: "\${{ int(captures.points) }}"}
          - set:
              state.account.top: >-
                \${{ (state.account.top.orValue([]).without(state.sender.line.orValue(""))
                + [string(steps.score.result) + " " + sender.name]).sort_desc().slice(0, 2) }}
              state.sender.line: "\${{ steps.score.result }} \${{ sender.name }}"
          - reply_dm: "Top 2: \${{ state.account.top.orValue([]) }}"
      `,
      `
      - name: three events of two people
        events:
          - {at: 0s, dm.received: {from: ann, text: "9"}}
          - {at: 1m, dm.received: {from: ben, text: "10"}}
          - {at: 2m, dm.received: {from: ann, text: "2"}}
        expect:
          - {at: 0s, reply_dm: {text: "Top 2: 9 Ann"}}
          - {at: 1m, reply_dm: {text: "Top 2: 10 Ben, 9 Ann"}}
          - {at: 2m, reply_dm: {text: "Top 2: 11 Ann, 10 Ben"}}
      `,
    );

    expect(failures).toEqual([]);
  });
});

describe("an answer outside of opening hours", () => {
  it("comes when they open", async () => {
    const failures = await failuresOf(
      `
      - id: later
        triggers: [dm.received]
        actions:
          - delay_until: \${{ hours.office.next_open }}
          - reply_dm: Here we are!
      `,
      `
      - name: before, while and after they are open
        events:
          - {at: 0s, dm.received: {from: ann, text: "before"}}
          - {at: 2h, dm.received: {from: ben, text: "open"}}
          - {at: 12h, dm.received: {from: ann, text: "after"}}
        expect:
          - {at: 1h, reply_dm: {to: ann}}
          - {at: 2h, reply_dm: {to: ben}}
          - {at: 25h, reply_dm: {to: ann}}
      `,
      'hours: {office: {zone: UTC, open: ["mon-fri 10:00-17:30"]}}\n',
    );

    expect(failures).toEqual([]);
  });
});

describe("a schedule of every other week", () => {
  it("starts on its dates, at its time of the day", async () => {
    const failures = await failuresOf(
      `
      - id: reminder
        triggers:
          - {trigger: schedule, every: 2 weeks, from: 2026-03-09, at: "09:30", zone: Europe/Berlin}
        actions: [{create_post: "Every other Monday at \${{ event.time }}"}]
      `,
      `
      - name: in winter and in summer time
        events: []
        advance_to: 30d
        expect:
          - {create_post: {text: "Every other Monday at 2026-03-09T08:30:00.000Z"}}
          - {create_post: {text: "Every other Monday at 2026-03-23T08:30:00.000Z"}}
      - name: after clocks went forward
        events: []
        advance_to: 36d
        expect:
          - {create_post: {text: {contains: "2026-03-09"}}}
          - {create_post: {text: {contains: "2026-03-23"}}}
          - {create_post: {text: "Every other Monday at 2026-04-06T07:30:00.000Z"}}
      `,
    );

    expect(failures).toEqual([]);
  });
});
