import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const DEVICE = "c".repeat(64);
const RULES = `version: 1
rules:
  - id: campaign
    triggers: [dm.received]
    conditions: [{message.text: sign me up}]
    actions:
      - id: conv
        report_conversion:
          app_id: "7"
          conversion_type: SIGN_UP
          conversion_time: \${{ event.time }}
          os_type: IOS
          hashed_device_id: ${DEVICE}
      - id: welcome
        reply_dm: Welcome.
      - id: followed
        follow: \${{ sender.id }}
      - delay: 1m
      - if: steps.conv.result.platform_attribution == null
        then: [{reply_dm: "no ad"}]
        else: [{reply_dm: "campaign \${{ steps.conv.result.platform_attribution.promoted_properties.campaign_id }}"}]
      - reply_dm: "\${{ steps.welcome.result.message_id }} in \${{ steps.welcome.result.conversation_id }}: \${{ steps.followed.result.following }}, \${{ steps.followed.result.pending_follow }}"
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

async function says(text: string): Promise<void> {
  const { ben } = bot.people;
  await bot.sandbox.control.act(ben, { type: "dm", to: bot.file.bot.id, text });
}

it("a run reads the platform's answers after a kill -9, as they were", async () => {
  bot = await botOnSandbox({ rules: { "campaign.yaml": RULES } });
  const { control } = bot.sandbox;
  await control.call("PATCH", `/users/${bot.people.ben}`, { protected: true });
  const { account_id: advertiser } = await control.post<{ account_id: string }>("/ads/accounts", {
    user_id: bot.file.bot.id,
    name: "partner",
  });
  const { now } = await control.advance(0);
  await control.post("/ads/engagements", {
    account_id: advertiser,
    app_store_identifier: "7",
    hashed_device_id: DEVICE,
    type: "CLICK",
    time: new Date(Date.parse(now) - 3_600_000).toISOString(),
    campaign_id: "c42",
  });
  await bot.startProcess();
  await says("sign me up");
  await when(async () => ((await bot.items("sent")).length === 3 ? true : undefined));
  await bot.kill();
  await bot.startProcess();
  await control.advance(61_000);
  const messages = await when(async () => {
    const sent = await bot.messagesTo("ben");
    return sent.length === 3 ? sent : undefined;
  });

  const [conversion, welcome, follow] = (await bot.items("sent")).toReversed();
  const ids = [bot.file.bot.id, bot.people.ben].sort((a, b) => Number(a) - Number(b));
  expect(messages).toEqual([
    "Welcome.",
    "campaign c42",
    `${welcome?.platformId} in ${ids.join("-")}: false, true`,
  ]);
  expect(conversion?.result).toMatchObject({ app_id: "7", hashed_device_id: DEVICE });
  expect(welcome).not.toHaveProperty("result");
  expect(follow?.result).toEqual({ following: false, pending_follow: true });
});
