import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import type { AccessTokens } from "../../login/link-account.ts";
import type { LocalSandbox } from "../../target/sandbox-control.ts";
import { withExamples } from "../../help/examples.ts";
import { readInput } from "../../arguments/read-input.ts";
import { withTarget } from "../../target/target-flags.ts";
import type { Io } from "../../io.ts";
import { printList, printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import {
  type CommonFlags,
  settingsFor,
  wholePath,
  withCommonFlags,
  wholeHandle,
} from "../../arguments/settings-flags.ts";

/** `accounts`: lists and removes the linked bot accounts. */
export function accounts(io: Io): Command {
  return new Command("accounts")
    .description("manage the linked bot accounts")
    .addCommand(list(io))
    .addCommand(add(io))
    .addCommand(remove(io));
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list")).description("list the linked accounts");
  return withExamples(command, ["answerback accounts list"]).action(async (flags: CommonFlags) => {
    const { linkedAccounts } = await import("../../target/target.ts");
    const linked = await linkedAccounts(await settingsFor(io, flags), io);
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
        { title: "LINKED", of: ({ linked_at }) => formatTime(linked_at) },
        {
          title: "STATE",
          of: ({ revoked }) => (revoked === null ? "linked" : `revoked: ${revoked}`),
        },
      ],
      withSameSettings("No account is linked. Link one with: answerback login", flags),
    );
  });
}

interface AddFlags extends CommonFlags {
  readonly tokens?: string;
}

function add(io: Io): Command {
  const command = withCommonFlags(new Command("add"), "print JSON")
    .description("link an account by its access token; on the sandbox the token is created")
    .argument("[handle]", "sandbox user to link; created if it does not exist", wholeHandle)
    .option(
      "--tokens <file>",
      "file with the access token and its secret, one per line; - for stdin",
      wholePath,
    );
  const after =
    "ANSWERBACK_ACCESS_TOKEN and ANSWERBACK_ACCESS_TOKEN_SECRET may hold the tokens instead.";
  return withExamples(command, ["answerback accounts add @shop"], after).action(
    async (handle: string | undefined, flags: AddFlags) => {
      const { linkAccount } = await import("../../login/link-account.ts");
      const linked = await withTarget(io, flags, async (target) => {
        const enteredTokens = await tokensOf(io, flags.tokens);
        if (enteredTokens === undefined && target.sandbox === undefined) throw noTokens();
        const tokens = enteredTokens ?? (await sandboxTokens(target.sandbox, handle));
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

async function tokensOf(io: Io, file: string | undefined): Promise<AccessTokens | undefined> {
  const env = [io.env["ANSWERBACK_ACCESS_TOKEN"], io.env["ANSWERBACK_ACCESS_TOKEN_SECRET"]];
  const lines = file === undefined ? env : (await readInput(io, file)).split(/\s+/).filter(Boolean);
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
      "set ANSWERBACK_ACCESS_TOKEN and ANSWERBACK_ACCESS_TOKEN_SECRET, or name a file with one per line with " +
      "--tokens FILE; if you have none, use: answerback login",
  });
}

async function sandboxTokens(
  sandbox: LocalSandbox | undefined,
  handle: string | undefined,
): Promise<AccessTokens> {
  if (sandbox === undefined || handle === undefined) {
    throw new UsageError("no account is named", {
      hint: "name one, as in: answerback accounts add @shop",
    });
  }
  const { id } = await sandbox.person(handle);
  const tokens = await sandbox.tokens(id, sandbox.file.app.id);
  return { accessToken: tokens.access_token, accessTokenSecret: tokens.access_token_secret };
}

function remove(io: Io): Command {
  const command = withCommonFlags(new Command("remove"), "print JSON")
    .description(
      "unlink an account: deletes its tokens here; they stay valid on the platform until revoked",
    )
    .argument("<handle>", "handle or id of the account", wholeHandle);
  return withExamples(command, ["answerback accounts remove @shop"]).action(
    async (handle: string, flags: CommonFlags) => {
      const { unlinkAccount } = await import("../../login/link-account.ts");
      const removed = await unlinkAccount(io, await settingsFor(io, flags), handle);
      printRecord(io, flags.json, removed, [["removed", `@${removed.username}`]]);
    },
  );
}
