import { randomBytes } from "node:crypto";
import type { Listen } from "../../../config/settings.ts";
import { signatureOf } from "../../../runtime/delivery.ts";
import type { PlatformTarget } from "../../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "../finding.ts";
import { type Here, runningBot, standIn } from "./here.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { askPublicly, type PublicAnswer } from "./public-request.ts";
import { checkRegistration } from "./webhook-step.ts";

interface WebhookWay {
  readonly findings: readonly Finding[];
  /** Id of the webhook, if it is registered. */
  readonly id?: string;
}

/**
 * Checks the route from the public address to this machine, then the platform's own challenge. If the bot does not run,
 * `doctor` receives in its place.
 */
export async function checkWebhookWay(
  target: PlatformTarget,
  via: Listen | undefined,
  botRuns: boolean,
): Promise<WebhookWay> {
  const { settings, access, folder } = target;
  const { url, listen } = settings.webhook;
  if (settings.source === "polling") {
    return { findings: [ok("address", "none is needed: messages and mentions are polled")] };
  }
  if (url === undefined) {
    const fix = "answerback init --live --webhook-url https://bot.example/webhook";
    return { findings: [fail("address", "webhook.url is not set", fix)] };
  }
  let here: Here;
  try {
    const { consumerSecret } = access;
    here = botRuns ? runningBot(folder) : await standIn({ listen, url, consumerSecret });
  } catch (error) {
    const fix = `end what listens at ${listen.host}:${listen.port}`;
    return { findings: [failed("address", error, fix)] };
  }
  try {
    return await lookAt(target, { url, via, here });
  } finally {
    await here.close();
  }
}

interface Way {
  readonly url: string;
  readonly via: Listen | undefined;
  readonly here: Here;
}

async function lookAt(target: PlatformTarget, way: Way): Promise<WebhookWay> {
  const { finding: address, answer } = await askTheWay(target, way);
  // No challenge is requested: the platform would get the same wrong response from the public address.
  if (address.state === "fail" && answer.step === "answer") return { findings: [address] };
  const before = await way.here.challenges();
  const { finding, id } = await checkRegistration(target, way.url, way.here);
  const reached = finding.state === "ok" && (await way.here.challenges()) > before;
  const first = reached && address.state === "fail" ? onlyFromOutside(way.url, address) : address;
  return { findings: [first, finding], ...(id === undefined ? {} : { id }) };
}

/** Warning for routers that do not route a local request to the public address back (no hairpin NAT). */
function onlyFromOutside(url: string, { details = [] }: Finding): Finding {
  const { hostname } = new URL(url);
  const message = `the platform gets through to here; this machine does not reach ${hostname} itself`;
  const fix = "nothing, if its router does not lead back what comes from within";
  return { ...warn("address", message, fix), details };
}

async function askTheWay(
  { access, settings }: PlatformTarget,
  { url: publicUrl, via, here }: Way,
): Promise<{ readonly finding: Finding; readonly answer: PublicAnswer }> {
  const token = randomBytes(8).toString("hex");
  const url = new URL(publicUrl);
  url.searchParams.set("crc_token", token);
  const before = await here.challenges();
  const answer = await askPublicly(url, via);
  const arrived = (await here.challenges()) > before;
  const expected = signatureOf(token, access.consumerSecret);
  const { listen } = settings.webhook;
  const question = { url, expected, listen, arrived, botRuns: here.botRuns };
  return { finding: judgeAnswer(question, answer), answer };
}
