import { expect, it, test } from "vitest";
import { failuresOf, runTests } from "./support.ts";

const rules = `
  - id: who
    triggers: [dm.received]
    actions:
      - id: who
        lookup: {username: "\${{ message.text }}", fields: [followers_count, location]}
        on_error: [{reply_dm: "\${{ error.code }} \${{ error.message }}"}, stop]
      - reply_dm: \${{ steps.who.result.username }} has \${{ steps.who.result.followers_count }}, \${{ steps.who.result.location.orValue("nowhere") }}
`;

it("is answered by the test's look-ups and users; others are reported", async () => {
  const failures = await failuresOf(
    rules,
    `
  - name: by the test
    lookups: [{username: bea, found: {followers_count: 7, location: Rome}}]
    events: [{dm.received: {from: ann, text: "@bea"}}]
    expect:
      - lookup: {username: bea}
      - reply_dm: {text: "bea has 7, Rome"}
  - name: by the users of the file
    events: [{dm.received: {from: ann, text: ann}}]
    expect: [{reply_dm: {text: "ann has 12, nowhere"}}]
  - name: a failure
    lookups: [{username: bea, fail: not-found}]
    events: [{dm.received: {from: ann, text: bea}}]
    expect: [{reply_dm: {text: "not-found @bea does not exist"}}]
  - name: nothing answers
    events: [{dm.received: {from: ann, text: bea}}]
    expect: [{reply_dm: {}}]
`,
  );

  expect(failures).toEqual([expect.stringContaining("nothing answers")]);
  expect(failures[0]).toContain(
    'lookups: [{username: "bea", found: {followers_count: …, location: …}}]',
  );
});

const byId = `
  - id: who
    triggers: [dm.received]
    actions:
      - {id: who, lookup: {user: "\${{ sender.id }}", fields: [followers_count]}}
      - reply_dm: has \${{ steps.who.result.followers_count }}
`;

it("of a person is answered whether the test names the person by handle, in any case, or by id", async () => {
  const hello = "events: [{dm.received: {from: ann, text: Bea}}]";
  const answer = "found: {followers_count: 7, location: Rome}";
  const test = (named: string, reply: string) =>
    `- {name: "${named}", lookups: [{${named}, ${answer}}], ${hello}, expect: [{reply_dm: {text: "${reply}"}}]}`;

  expect(
    await failuresOf(byId, [test("username: Ann", "has 7"), test("user: ann", "has 7")].join("\n")),
  ).toEqual([]);
  expect(await failuresOf(rules, test("username: BEA", "Bea has 7, Rome"))).toEqual([]);
});

const credit = `
  - id: credit
    triggers: [dm.received]
    actions:
      - id: credit
        lookup:
          attribution:
            app_id: 7
            conversion_type: PURCHASE
            conversion_time: \${{ event.time }}
            os_type: IOS
            hashed_device_id: \${{ message.text }}
        on_error: [{reply_dm: "\${{ error.code }}: \${{ error.message }}"}, stop]
      - if: has(steps.credit.result.platform_attribution) && steps.credit.result.platform_attribution != null
        then: [{reply_dm: "by \${{ steps.credit.result.platform_attribution.engagement_type }}"}]
        else: [{reply_dm: "no ad"}]
`;
const hello = `events: [{dm.received: {from: ann, text: ${"a".repeat(64)}}}]`;

it("of an attribution is answered by the test; others are reported", async () => {
  const failures = await failuresOf(
    credit,
    `
  - name: an ad
    lookups:
      - {attribution: {conversion_type: SIGN_UP}, found: {platform_attribution: null}}
      - {attribution: {app_id: "7", os_type: IOS}, found: {platform_attribution: {engagement_type: VIEW}}}
    ${hello}
    expect:
      - lookup: {conversion_type: PURCHASE, conversion_time: "2026-03-02T09:00:00.000Z"}
      - reply_dm: {text: by VIEW}
  - name: no ad
    lookups: [{attribution: {}, found: {platform_attribution: null}}]
    ${hello}
    expect: [{reply_dm: {text: no ad}}]
  - name: a failure
    lookups: [{attribution: {}, fail: lookup-failed}]
    ${hello}
    expect: [{reply_dm: {text: "lookup-failed: the platform can't be reached"}}]
  - name: no device
    events: [{dm.received: {from: ann, text: " "}}]
    expect: [{reply_dm: {text: no ad}}]
  - name: nothing answers
    ${hello}
    expect: [{reply_dm: {}}]
`,
  );

  expect(failures).toEqual([expect.stringContaining("nothing answers")]);
  expect(failures[0]).toContain(
    "lookups: [{attribution: {conversion_type: PURCHASE}, found: {platform_attribution: null}}]",
  );
});

test.each([
  {
    why: "a field that an attribution lacks",
    mock: "{attribution: {}, found: {platform_atribution: null}}",
    message: 'an attribution has no field "platform_atribution"',
    help: 'did you mean "platform_attribution"?',
  },
  {
    why: "a parameter that the look-up lacks",
    mock: "{attribution: {price_micro: 5}, found: {}}",
    message: 'unknown key "price_micro" of attribution',
    help: expect.stringContaining("known here: app_id, conversion_type"),
  },
  {
    why: "two objects",
    mock: '{attribution: {}, post: "7", found: {}}',
    message: "this does not name one person, one post or one attribution",
    help: "write one of  user: ann,  username: ann,  post: ID  or  attribution: {…}",
  },
])("of an attribution can't be answered with $why", async ({ mock, message, help }) => {
  const { problems } = await runTests(credit, `- {name: odd, lookups: [${mock}], ${hello}}`);

  expect(problems).toMatchObject([{ message, help }]);
});
