import { Argument, Command } from "commander";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printList, printRecord } from "../output/print.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

type Flags = SettingsFlags & JsonFlag;

interface App extends Readonly<Record<string, unknown>> {
  readonly app_id: string;
  readonly name: string;
  readonly permission_level: string;
  readonly suspended: boolean;
  readonly callback_urls: readonly string[];
  readonly key_hints: Readonly<Record<string, string>>;
}

const SETTINGS =
  "name=value: permission_level, callback_urls, website_url, terms_url, privacy_url, email, sign_in, " +
  "oauth1, oauth2, oauth2_type, dialect, project_id, description, …";

/** `apps`: the developer portal of the sandbox. */
export function apps(io: Io): Command {
  return new Command("apps")
    .description("developer apps of the sandbox; the live platform has its portal for that")
    .addCommand(list(io))
    .addCommand(create(io))
    .addCommand(show(io))
    .addCommand(set(io))
    .addCommand(credentials(io));
}

async function portal(io: Io, flags: Flags) {
  const { localSandbox } = await import("../target/sandbox-control.ts");
  return localSandbox(io, flags);
}

function list(io: Io): Command {
  const command = withJson(withSettings(new Command("list"))).description("the apps");
  return withExamples(command, ["answerback apps list"]).action(async (flags: Flags) => {
    const { apps } = await (await portal(io, flags)).get<{ apps: App[] }>("/apps");
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
      "There is no app.",
    );
  });
}

function create(io: Io): Command {
  const command = withJson(withSettings(new Command("create")), "as JSON")
    .description("make an app; its credentials are shown this once")
    .argument("<name>", "of the app")
    .argument("[settings...]", SETTINGS);
  const examples = ['answerback apps create "my site" permission_level=read sign_in=true'];
  return withExamples(command, examples).action(
    async (name: string, words: readonly string[], flags: Flags) => {
      const { appSettings } = await import("../app-settings.ts");
      const sandbox = await portal(io, flags);
      const made = await sandbox.post<Record<string, string>>("/apps", {
        ...appSettings(words),
        name,
      });
      printRecord(io, flags.json, made, Object.entries(made));
    },
  );
}

function show(io: Io): Command {
  const command = withJson(withSettings(new Command("show")), "as JSON")
    .description("an app, with hints of its keys")
    .argument("<id>", "of the app");
  return withExamples(command, ['answerback apps show "$APP_ID"']).action(
    async (id: string, flags: Flags) => {
      printApp(io, flags, await (await portal(io, flags)).get<App>(pathOf(id)));
    },
  );
}

function set(io: Io): Command {
  const command = withJson(withSettings(new Command("set")), "as JSON")
    .description("change an app; a new permission level voids its tokens")
    .argument("<id>", "of the app")
    .argument("<settings...>", SETTINGS);
  const examples = [
    'answerback apps set "$APP_ID" description="Answers questions" suspended=false',
  ];
  return withExamples(command, examples).action(
    async (id: string, words: readonly string[], flags: Flags) => {
      const { appSettings } = await import("../app-settings.ts");
      const sandbox = await portal(io, flags);
      printApp(io, flags, await sandbox.call<App>("PATCH", pathOf(id), appSettings(words)));
    },
  );
}

function credentials(io: Io): Command {
  const command = withJson(withSettings(new Command("credentials")), "as JSON")
    .description("make a credential anew, or end it; the old one stops working at once")
    .argument("<id>", "of the app")
    .addArgument(new Argument("<do>", "what to do").choices(["regenerate", "revoke"]))
    .addArgument(
      new Argument("<kind>", "which one").choices([
        "api_key",
        "bearer",
        "access_token",
        "client_secret",
      ]),
    );
  const examples = ['answerback apps credentials "$APP_ID" regenerate bearer'];
  return withExamples(command, examples).action(
    async (id: string, what: string, kind: string, flags: Flags) => {
      const sandbox = await portal(io, flags);
      const told = await sandbox.post<Record<string, string | boolean>>(
        `${pathOf(id)}/credentials`,
        { do: what, kind },
      );
      if (id === sandbox.file.app.id) {
        const { keepCredentials } = await import("../dev/sandbox-file.ts");
        await keepCredentials(sandbox.folder, sandbox.file, told);
        io.err("This is the app of the bot that runs here: start dev again.\n");
      }
      printRecord(io, flags.json, told, Object.entries(told));
    },
  );
}

function pathOf(id: string): string {
  return `/apps/${encodeURIComponent(id)}`;
}

function printApp(io: Io, flags: Flags, app: App): void {
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
