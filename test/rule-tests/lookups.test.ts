import { expect, it } from "vitest";
import { failuresOf } from "./support.ts";

const rules = `
  - id: who
    triggers: [dm.received]
    actions:
      - id: who
        lookup: {username: "\${{ message.text }}", fields: [followers_count, location]}
        on_error: [{reply_dm: "\${{ error.code }} \${{ error.message }}"}, stop]
      - reply_dm: \${{ steps.who.result.username }} has \${{ steps.who.result.followers_count }}, \${{ steps.who.result.location.orValue("nowhere") }}
`;

it("is answered by the test's look-ups, by its users, and reports what nothing answers", async () => {
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
