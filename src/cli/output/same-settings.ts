import { LIVE_SETTINGS_FILE } from "../../config/file-names.ts";
import { shell } from "../../text/shell.ts";
import type { SettingsFlags } from "../arguments/settings-flags.ts";

/** Pattern of a command in a text: `answerback` with the names of the command and its subcommands. */
const COMMAND =
  /(?<![\w@/.-])answerback ((?:rules|outbox|escalations|fault|snapshot|apps|accounts|webhooks|subscriptions|dm|posts|users|ads)(?: (?:list|diff|show|retry|settle|drop|resolve|add|clear|save|restore|create|set|credentials|remove|validate|delete|count|send|search|get|conversion|attribution|tags|lists)\b)*|[a-z]+)/g;
/** Commands that read no settings. */
const WITHOUT_SETTINGS = new Set(["init", "explain", "docs", "sandbox", "completion"]);
/** Commands with `--config`, but without `--data`. */
const WITHOUT_DATA = new Set(["check", "move"]);

/**
 * Adds the flags `--live`, `--config` and `--data` of the current command to each `answerback` command in a text of
 * advice, so that the advice acts on the same bot. Commands that have one of these flags stay as they are.
 *
 * Example: with `--live`, `see: answerback outbox show 5` becomes `see: answerback outbox show --live 5`.
 *
 * @param advice Text of this program. It must not quote texts of other people, because commands in it change.
 */
export function withSameSettings(advice: string, { config, data }: SettingsFlags): string {
  const configFlag = config === undefined ? "" : flagOf(config);
  const dataFlag = data === undefined ? "" : shell` --data ${data}`;
  return advice.replaceAll(COMMAND, (command: string, name: string, at: number) => {
    const hasFlags = /^ --(?:live|config|data)\b/.test(advice.slice(at + command.length));
    if (hasFlags || WITHOUT_SETTINGS.has(name)) return command;
    return command + configFlag + (WITHOUT_DATA.has(name) ? "" : dataFlag);
  });
}

function flagOf(config: string): string {
  return config === LIVE_SETTINGS_FILE ? " --live" : shell` --config ${config}`;
}
