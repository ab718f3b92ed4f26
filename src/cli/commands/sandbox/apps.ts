import { withSameSettings } from "../../output/same-settings.ts";
import { Argument, Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printList, printRecord } from "../../output/print.ts";
import { type CommonFlags, withCommonFlags, whole } from "../../arguments/settings-flags.ts";
import { oneOf } from "../../arguments/one-of.ts";
import type { App, CredentialChange } from "../../../sandbox/control/objects.ts";

const SETTINGS =
  "name=value: permission_level, callback_urls, website_url, terms_url, privacy_url, email, sign_in, " +
  "oauth1, oauth2, oauth2_type, dialect, project_id, description, …";

/** `apps`: manages the sandbox's apps, as the developer portal does on the live platform. */
export function apps(io: Io): Command {
  return new Command("apps")
    .description("manage the sandbox's developer apps (live apps: use the developer portal)")
    .addCommand(list(io))
    .addCommand(create(io))
    .addCommand(show(io))
    .addCommand(set(io))
    .addCommand(credentials(io));
}

async function portal(io: Io, flags: CommonFlags) {
  const { localSandbox } = await import("../../target/sandbox-control.ts");
  return localSandbox(io, flags);
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list")).description("list the apps");
  return withExamples(command, ["answerback apps list"]).action(async (flags: CommonFlags) => {
    const apps = await (await portal(io, flags)).apps();
    printList(
      io,
      flags.json,
      apps,
      [
        { title: "ID", of: ({ app_id }) => app_id },
        { title: "LEVEL", of: ({ permission_level }) => permission_level },
        { title: "STATE", of: ({ suspended }) => (suspended ? "suspended" : "active") },
        { title: "NAME", of: ({ name }) => name },
      ],
      "There are no apps.",
    );
  });
}

function create(io: Io): Command {
  const command = withCommonFlags(new Command("create"), "print JSON")
    .description("create an app, and show its credentials this one time")
    .argument("<name>", "name of the app", whole("name"))
    .argument("[settings...]", SETTINGS);
  const examples = ['answerback apps create "my site" permission_level=read sign_in=true'];
  return withExamples(command, examples).action(
    async (name: string, words: readonly string[], flags: CommonFlags) => {
      const { appSettings } = await import("../../arguments/app-settings.ts");
      const settings = { ...appSettings(words), name };
      const sandbox = await portal(io, flags);
      const createdApp = await sandbox.post<Record<string, string>>("/apps", settings);
      printRecord(io, flags.json, createdApp, Object.entries(createdApp));
    },
  );
}

function show(io: Io): Command {
  const command = withCommonFlags(new Command("show"), "print JSON")
    .description("show an app, with the last characters of its keys")
    .argument("<id>", "id of the app", whole("id"));
  return withExamples(command, ['answerback apps show "$APP_ID"']).action(
    async (id: string, flags: CommonFlags) => {
      printApp(io, flags, await (await portal(io, flags)).appSettings(id));
    },
  );
}

function set(io: Io): Command {
  const command = withCommonFlags(new Command("set"), "print JSON")
    .description("change settings of an app; a new permission level invalidates its tokens")
    .argument("<id>", "id of the app", whole("id"))
    .argument("<settings...>", SETTINGS);
  const examples = [
    'answerback apps set "$APP_ID" description="Answers questions" suspended=false',
  ];
  return withExamples(command, examples).action(
    async (id: string, words: readonly string[], flags: CommonFlags) => {
      const { appSettings } = await import("../../arguments/app-settings.ts");
      const settings = appSettings(words);
      const sandbox = await portal(io, flags);
      printApp(io, flags, await sandbox.call<App>("PATCH", pathOf(id), settings));
    },
  );
}

function credentials(io: Io): Command {
  const command = withCommonFlags(new Command("credentials"), "print JSON")
    .description("regenerate or revoke a credential; the old one stops working at once")
    .argument("<id>", "id of the app", whole("id"))
    .addArgument(oneOf(new Argument("<do>", "what to do"), ["regenerate", "revoke"]))
    .addArgument(
      oneOf(new Argument("<kind>", "which credential"), [
        "api_key",
        "bearer",
        "access_token",
        "client_secret",
      ]),
    );
  const examples = ['answerback apps credentials "$APP_ID" regenerate bearer'];
  return withExamples(command, examples).action(
    async (
      id: string,
      what: CredentialChange["do"],
      kind: CredentialChange["kind"],
      flags: CommonFlags,
    ) => {
      const sandbox = await portal(io, flags);
      const issued = await sandbox.changeCredential(id, { do: what, kind });
      if (id === sandbox.file.app.id) {
        const { saveCredentials } = await import("../../../runtime/platform.ts");
        await saveCredentials(sandbox.folder, sandbox.file, issued);
        io.err(
          withSameSettings(
            "The bot that runs here uses this app: restart answerback dev.\n",
            flags,
          ),
        );
      }
      printRecord(io, flags.json, issued, Object.entries(issued));
    },
  );
}

function pathOf(id: string): string {
  return `/apps/${encodeURIComponent(id)}`;
}

function printApp(io: Io, flags: CommonFlags, app: App): void {
  const { callback_urls: urls, key_hints: hints, ...rest } = app;
  printRecord(io, flags.json, app, [
    ...Object.entries(rest).map(([name, value]) => [name, textOf(value)] as const),
    ["callback_urls", urls.join(", ")],
    ...Object.entries(hints).map(([name, hint]) => [name, `…${hint}`] as const),
  ]);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
