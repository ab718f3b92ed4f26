import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { UsageError } from "../../errors.ts";
import type { Tokens } from "../link-account.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printList, printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import {
  dataFolder,
  settingsFor,
  withJson,
  withSettings,
  type JsonFlag,
  type SettingsFlags,
} from "../settings-flags.ts";

type Flags = SettingsFlags & JsonFlag;

/** `accounts`: the bot accounts that are linked here. */
export function accounts(io: Io): Command {
  return new Command("accounts")
    .description("bot accounts that are linked here")
    .addCommand(list(io))
    .addCommand(add(io))
    .addCommand(remove(io));
}

function list(io: Io): Command {
  const command = withJson(withSettings(new Command("list"))).description("the linked accounts");
  return withExamples(command, ["answerback accounts list"]).action(async (flags: Flags) => {
    const { linkedAccounts } = await import("../target/target.ts");
    const linked = await linkedAccounts(dataFolder(await settingsFor(io, flags)), io);
    const rows = linked.map(({ id, username, linkedAt, revoked }) => ({
      id,
      username,
      linked_at: new Date(linkedAt).toISOString(),
      revoked: revoked ?? null,
    }));
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "ACCOUNT", of: ({ username }) => `@${username}` },
        { title: "ID", of: ({ id }) => id },
        { title: "LINKED", of: ({ linked_at }) => shownTime(linked_at) },
        {
          title: "STATE",
          of: ({ revoked }) => (revoked === null ? "linked" : `revoked: ${revoked}`),
        },
      ],
      "No account is linked. Link one with: answerback login",
    );
  });
}

interface AddFlags extends Flags {
  readonly tokens?: string;
}

function add(io: Io): Command {
  const command = withJson(withSettings(new Command("add")), "as JSON")
    .description("link an account whose tokens are at hand; on the sandbox they are made")
    .argument("[handle]", "on the sandbox: whom to link, made when there is nobody of that name")
    .option("--tokens <file>", "access token and secret, a line each; - reads them from stdin");
  const after =
    "The tokens may also be in ANSWERBACK_ACCESS_TOKEN and ANSWERBACK_ACCESS_TOKEN_SECRET.";
  return withExamples(command, ["answerback accounts add @shop"], after).action(
    async (handle: string | undefined, flags: AddFlags) => {
      const { onTarget } = await import("../target/target.ts");
      const { linkAccount } = await import("../link-account.ts");
      const linked = await onTarget(io, flags, async (target) => {
        const given = await tokensOf(io, flags.tokens);
        if (given === undefined && target.sandbox === undefined) throw noTokens();
        const tokens = given ?? (await sandboxTokens(target.sandbox, handle));
        return linkAccount(io, target, tokens);
      });
      printRecord(io, flags.json, linked, [
        ["account", `@${linked.username}`],
        ["id", linked.id],
      ]);
      if (flags.json !== true) io.err(`${linked.next}\n`);
    },
  );
}

async function tokensOf(io: Io, file: string | undefined): Promise<Tokens | undefined> {
  const env = [io.env["ANSWERBACK_ACCESS_TOKEN"], io.env["ANSWERBACK_ACCESS_TOKEN_SECRET"]];
  const lines =
    file === undefined
      ? env
      : (file === "-" ? await io.input.text() : await readFile(resolve(io.cwd, file), "utf8"))
          .split(/\s+/)
          .filter((line) => line !== "");
  const [accessToken, accessTokenSecret] = lines;
  if (accessToken !== undefined && accessTokenSecret !== undefined) {
    return { accessToken, accessTokenSecret };
  }
  if (file === undefined && accessToken === undefined) return undefined;
  throw noTokens();
}

function noTokens(): UsageError {
  return new UsageError("an access token and its secret are needed", {
    hint:
      "give them in ANSWERBACK_ACCESS_TOKEN and ANSWERBACK_ACCESS_TOKEN_SECRET, or a line each with " +
      "--tokens FILE; without any at hand: answerback login",
  });
}

async function sandboxTokens(
  sandbox: LocalSandbox | undefined,
  handle: string | undefined,
): Promise<Tokens> {
  if (sandbox === undefined || handle === undefined) {
    throw new UsageError("say whom to link", { hint: "as in: answerback accounts add @shop" });
  }
  const { id } = await sandbox.person(handle);
  const tokens = await sandbox.tokens(id, sandbox.file.app.id);
  return { accessToken: tokens.access_token, accessTokenSecret: tokens.access_token_secret };
}

function remove(io: Io): Command {
  const command = withJson(withSettings(new Command("remove")), "as JSON")
    .description("unlink an account: its tokens are dropped here, and stay good until revoked")
    .argument("<handle>", "of the account, or its id");
  return withExamples(command, ["answerback accounts remove @shop"]).action(
    async (handle: string, flags: Flags) => {
      const { unlinkAccount } = await import("../link-account.ts");
      const removed = await unlinkAccount(io, dataFolder(await settingsFor(io, flags)), handle);
      printRecord(io, flags.json, removed, [["removed", `@${removed.username}`]]);
    },
  );
}
