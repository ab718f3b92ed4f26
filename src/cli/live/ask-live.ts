import type { Readable, Writable } from "node:stream";
import { UsageError } from "../../errors.ts";
import { platform, webhook } from "../../config/schema/platform-schema.ts";
import { APP_KEYS, type AppKey } from "./portal.ts";
import { type AppKeys, keyFault } from "./key-file.ts";
import type { LivePlaces } from "./live-settings.ts";
import { PROXIES, PROXY_HINTS, type Proxy } from "./public-address.ts";
import { valueFault } from "./value-fault.ts";

/** Addresses and keys of the live platform, as the author entered them. */
export interface LiveAnswers extends LivePlaces {
  readonly proxy?: Proxy | undefined;
  readonly keys: AppKeys;
}

/**
 * Normalizes a webhook address that is a URL or only a host. The default path is `/webhook`.
 *
 * @throws {UsageError} if the setting `webhook.url` would refuse it.
 */
export function webhookAddress(enteredAddress: string): string {
  const whole = /^[a-z]+:\/\//i.test(enteredAddress) ? enteredAddress : `https://${enteredAddress}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const fault = valueFault(webhook.shape.url, url?.href ?? whole, "the webhook's address");
  if (fault !== undefined) throw fault;
  if (url === undefined) return whole;
  if (url.pathname === "/" && url.search === "") url.pathname = "/webhook";
  return url.href;
}

/**
 * Removes slashes and the version of the interface from the end of an address.
 *
 * @throws {UsageError} if the setting `platform.base_url` would refuse the rest.
 */
export function platformAddress(enteredAddress: string): string {
  const address = enteredAddress.replace(/(\/(1\.1|2))?\/*$/, "");
  const fault = valueFault(platform.shape.base_url, address, "the platform's address");
  if (fault !== undefined) throw fault;
  return address;
}

/** Streams for prompts; default: this process's terminal. */
export interface Terminal {
  readonly input?: Readable;
  readonly output?: Writable;
}

const LATER = "(Enter: later)";
const cancelled = (): UsageError => new UsageError("cancelled: nothing was written");

/**
 * Prompts for missing addresses and keys. Keys are not echoed, and any value may be left empty.
 *
 * @param lacks Keys to prompt for.
 * @param beforeKeys Called after the prompts for addresses, before the prompts for keys.
 * @throws {UsageError} if the user cancels.
 */
export async function askLive(
  knownAnswers: LiveAnswers,
  lacks: readonly AppKey[],
  beforeKeys: (webhookUrl: string | undefined) => void,
  terminal: Terminal = {},
): Promise<LiveAnswers> {
  const { isCancel, password } = await import("@clack/prompts");
  const baseUrl =
    knownAnswers.baseUrl ??
    (await askAddress(
      `Where does the platform's interface answer? ${LATER}`,
      "https://api.example.com",
      platformAddress,
      terminal,
    ));
  const webhookUrl =
    knownAnswers.webhookUrl ??
    (await askAddress(
      `Public https address of the bot? ${LATER}`,
      "https://bot.example/webhook",
      webhookAddress,
      terminal,
    ));
  const proxy = knownAnswers.proxy ?? (await askProxy(terminal));
  const keys: Partial<Record<AppKey, string>> = { ...knownAnswers.keys };
  beforeKeys(webhookUrl);
  for (const name of lacks) {
    const enteredKey = await password({
      ...terminal,
      message: `The portal's ${APP_KEYS[name]}? ${LATER}`,
      validate: (key = "") => shownFault(keyFault(name, key.trim())),
    });
    if (isCancel(enteredKey)) throw cancelled();
    const key = enteredKey?.trim() ?? "";
    if (key !== "") keys[name] = key;
  }
  return { baseUrl, webhookUrl, proxy, keys };
}

async function askProxy(terminal: Terminal): Promise<Proxy> {
  const { isCancel, select } = await import("@clack/prompts");
  const chosenProxy = await select<Proxy>({
    ...terminal,
    message: "What leads that address to this machine?",
    options: PROXIES.map((value) => ({ value, label: value, hint: PROXY_HINTS[value] })),
  });
  if (isCancel(chosenProxy)) throw cancelled();
  return chosenProxy;
}

function shownFault(fault: UsageError | undefined): string | undefined {
  return fault && [fault.message, fault.hint].filter((one) => one !== undefined).join("; ");
}

/** Prompts for an address, until it is valid or empty. @param read Throws a UsageError for an invalid address. */
async function askAddress(
  message: string,
  placeholder: string,
  read: (enteredAddress: string) => string,
  terminal: Terminal,
): Promise<string | undefined> {
  const { isCancel, text } = await import("@clack/prompts");
  const validate = (enteredAddress = ""): string | undefined => {
    try {
      if (enteredAddress !== "") read(enteredAddress);
      return undefined;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return shownFault(error);
    }
  };
  const enteredAddress = await text({ ...terminal, message, placeholder, validate });
  if (isCancel(enteredAddress)) throw cancelled();
  return (enteredAddress ?? "") === "" ? undefined : read(enteredAddress);
}
