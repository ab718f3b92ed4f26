import { describe, expect, it, test } from "vitest";
import { failuresOf, runTests } from "./support.ts";

const DEVICE = "a".repeat(64);
const CONVERSION = `report_conversion:
              app_id: "7"
              conversion_type: SIGN_UP
              conversion_time: \${{ event.time }}
              os_type: IOS
              hashed_device_id: ${DEVICE}`;
const CAMPAIGN = `
      - id: campaign
        triggers: [dm.received]
        actions:
          - id: conv
            ${CONVERSION}
          - if: steps.conv.result.platform_attribution == null
            then: [{ reply_dm: "Not by an ad. Window: \${{ steps.conv.result.click_window }} days." }]
            else: [{ reply_dm: "By \${{ steps.conv.result.platform_attribution.engagement_type }}" }]
`;
const hello = "events: [{at: 0s, dm.received: {from: ann, text: hello}}]";
const reported = '{report_conversion: {app_id: "7"}}';

describe("the result of an action", () => {
  it("has usual values in a test", async () => {
    const failures = await failuresOf(
      `
      - id: hello
        triggers: [dm.received]
        actions:
          - id: said
            reply_dm: Hello.
          - id: followed
            follow: \${{ sender.id }}
          - if: has(steps.said.result.message_id) && steps.followed.result.following && !steps.followed.result.pending_follow
            then: [{ reply_dm: "\${{ steps.said.result.conversation_id }}" }]
      `,
      `
      - name: all is accepted
        ${hello}
        expect:
          - {reply_dm: {text: Hello.}}
          - {follow: {to: ann}}
          - {reply_dm: {text: 100-1001}}
      `,
    );

    expect(failures).toEqual([]);
  });

  it("is the stated one, as often as the test states it", async () => {
    const failures = await failuresOf(
      CAMPAIGN,
      `
      - name: an ad, then none
        platform:
          - match: { report_conversion: { conversion_type: SIGN_UP } }
            respond: { platform_attribution: { engagement_type: CLICK } }
            times: 1
        events:
          - {at: 0s, dm.received: {from: ann, text: hello}}
          - {at: 1m, dm.received: {from: ann, text: hello again}}
        expect:
          - {at: 0s, ${reported.slice(1)}
          - {at: 0s, reply_dm: {text: By CLICK}}
          - {at: 1m, ${reported.slice(1)}
          - {at: 1m, reply_dm: {text: "Not by an ad. Window: 14 days."}}
      `,
    );

    expect(failures).toEqual([]);
  });

  it("is null if the action is held back", async () => {
    const failures = await failuresOf(
      `
      - id: hello
        triggers: [dm.received]
        actions:
          - id: said
            reply_dm: Hello.
          - if: steps.said.result == null
            then: [{ escalate: { queue: support, note: "\${{ has(steps.said.result.message_id) ? 'sent' : 'held' }}" } }]
      `,
      `
      - name: the fourth in a minute
        events:
          - {at: 0s, dm.received: {from: ann, text: hello}}
          - {at: 1s, dm.received: {from: ann, text: hello}}
          - {at: 2s, dm.received: {from: ann, text: hello}}
          - {at: 3s, dm.received: {from: ann, text: hello}}
        expect:
          - {at: 0s, reply_dm: {text: Hello.}}
          - {at: 1s, reply_dm: {text: Hello.}}
          - {at: 2s, reply_dm: {text: Hello.}}
          - {at: 3s, escalate: {note: held}}
      `,
    );

    expect(failures).toEqual([]);
  });

  test.each([
    {
      why: "a field that the result lacks",
      mock: "{match: {report_conversion: {}}, respond: {platform_atribution: null}}",
      message: 'the result of report_conversion has no field "platform_atribution"',
      help: 'did you mean "platform_attribution"?',
    },
    {
      why: "no verb",
      mock: "{match: {}, respond: {liked: true}}",
      message: "an answer of the platform is for one verb",
      help: "write  match: {report_conversion: {}}",
    },
  ])("can't be stated with $why", async ({ mock, message, help }) => {
    const { problems } = await runTests(
      CAMPAIGN,
      `- {name: odd, platform: [${mock}], ${hello}, expect: []}`,
    );

    expect(problems).toMatchObject([{ message, help }]);
  });
});
