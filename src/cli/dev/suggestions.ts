import type { Settings } from "../../config/settings.ts";
import { wordsToTry } from "../../insight/rehearsal/words-to-try.ts";
import { compile, type SourceFile } from "../../rules/compile.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { readRuleFiles } from "../../host/open-runtime.ts";
import { shellText } from "../../text/shell.ts";
import type { Trace } from "../../insight/traces/trace.ts";
import { tryMessage } from "../../insight/traces/try-message.ts";

/** Suggested command: its arguments, and its expected effect as text. */
export interface Suggestion {
  readonly args: string;
  readonly outcome: string;
}

/** Settings, account and bots from which the suggestions are derived. */
export interface SuggestionNeeds {
  readonly settings: Settings;
  readonly cwd: string;
  readonly account: { readonly id: string; readonly username: string };
  /** The sandbox's time, in milliseconds since the epoch. */
  readonly now: number;
  /** Bot modules with the triggers that they listen to. */
  readonly bots: readonly { readonly name: string; readonly triggers: readonly string[] }[];
}

/** Trigger that `send` can cause as a sandbox user. */
interface Cause {
  readonly trigger: "dm.received" | "post.mentioned" | "user.followed";
  /** Handle of the sandbox user who causes the trigger, without `@`. */
  readonly as: string;
  /** Texts to try after the words in the rules' conditions, such as `hello`. */
  readonly texts: readonly string[];
  readonly textOf: (words: string) => string;
  readonly argsOf: (text: string) => string;
}

/**
 * Maximum number of suggested messages for a trigger: one that rules answer, and one to which they reply with a
 * question.
 */
const MAX_MESSAGES = 2;
/**
 * Maximum number of simulated messages for a trigger. It bounds the start-up time, since a project can have any number
 * of rules.
 */
const MAX_TRIALS = 30;

/** Suggests commands for this bot. Messages for rules have been simulated with the bot's rules. */
export async function suggestions(needs: SuggestionNeeds): Promise<readonly Suggestion[]> {
  const { settings, cwd, account, now } = needs;
  const files = await readRuleFiles(settings.rules, cwd, settings.file);
  const { ruleset } = compile(files);
  const all: Suggestion[] = [];
  for (const cause of causes(account.username)) {
    const ruleSuggestions = await forRules(cause, { files, ruleset, account, now });
    all.push(...(ruleSuggestions.length > 0 ? ruleSuggestions : forBots(cause, needs)));
  }
  if (all.length === 0 && ruleset.rules.length === 0 && needs.bots.length === 0) {
    return [
      {
        args: "init -y --force",
        outcome: "writes first rules and a bot here; then start dev again",
      },
    ];
  }
  return [...all, { args: "chat", outcome: "a conversation, line by line" }];
}

function causes(handle: string): readonly Cause[] {
  return [
    {
      trigger: "dm.received",
      as: "ana",
      texts: ["hello"],
      textOf: (words) => words,
      argsOf: (text) => `send @ana ${shellText(text)}`,
    },
    {
      trigger: "post.mentioned",
      as: "ben",
      texts: ["are you open?"],
      textOf: (words) => `@${handle} ${words}`,
      argsOf: (text) => `send @ben --post ${shellText(text)}`,
    },
    {
      trigger: "user.followed",
      as: "ben",
      texts: [""],
      textOf: () => "",
      argsOf: () => "send @ben --follow",
    },
  ];
}

interface RulesToTry {
  readonly files: readonly SourceFile[];
  readonly ruleset: Ruleset;
  readonly account: SuggestionNeeds["account"];
  readonly now: number;
}

/**
 * Suggests the first message that rules answer, and the first to which they reply with a question. Without either,
 * suggests the first message for which a rule runs; a message after which the bot is silent comes last.
 */
async function forRules(
  { trigger, as, texts, textOf, argsOf }: Cause,
  { files, ruleset, account, now }: RulesToTry,
): Promise<readonly Suggestion[]> {
  const words = files
    .flatMap(({ path, text }) => wordsToTry(text, path))
    .filter(({ triggers }) => triggers.includes(trigger))
    .flatMap((rule) => rule.words);
  const kinds = new Map<string, Suggestion>();
  for (const tried of [...new Set([...words, ...texts])].slice(0, MAX_TRIALS)) {
    const text = textOf(tried);
    const { trace } = await tryMessage(
      { files: async () => files, ruleset: () => ruleset, account, now: () => now },
      { text, trigger, as: { username: as } },
    );
    const outcome = trace === undefined ? undefined : outcomeOf(trace, { trigger, as });
    if (outcome === undefined || kinds.has(outcome.kind)) continue;
    kinds.set(outcome.kind, { args: argsOf(text), outcome: outcome.inWords });
  }
  const { answers, asks, runs, silences } = Object.fromEntries(kinds);
  const spoken = [answers, asks].filter((one) => one !== undefined);
  const others = [runs, silences].filter((one) => one !== undefined).slice(0, 1);
  return (spoken.length === 0 ? others : spoken).slice(0, MAX_MESSAGES);
}

interface Outcome {
  readonly kind: "answers" | "asks" | "runs" | "silences";
  readonly inWords: string;
}

/** Effect of a message on the rules; undefined if no rule runs. */
function outcomeOf(
  { runs, items, escalations }: Trace,
  { trigger, as }: Pick<Cause, "trigger" | "as">,
): Outcome | undefined {
  const [run] = runs;
  if (run?.rule === undefined || run.status === "failed") return undefined;
  if (escalations.some(({ silences }) => silences !== undefined)) {
    return { kind: "silences", inWords: `rule ${run.rule} hands over; the bot is silent then` };
  }
  const asks = run.waitsFor.some((wait) => wait.for === "person") && items.length > 0;
  if (asks) {
    // a new post is no answer to a question in public: an answer is a reply
    const how = trigger === "dm.received" ? "chat or send" : `send @${as} --reply`;
    return { kind: "asks", inWords: `rule ${run.rule} asks; answer it with ${how}` };
  }
  if (items.length > 0) return { kind: "answers", inWords: `rule ${run.rule} answers` };
  return { kind: "runs", inWords: `rule ${run.rule} runs` };
}

/** Suggests a message for a bot module, without running its code. */
function forBots(
  { trigger, textOf, argsOf }: Cause,
  { bots }: SuggestionNeeds,
): readonly Suggestion[] {
  const bot = bots.find(({ triggers }) => triggers.includes(trigger));
  if (bot === undefined) return [];
  return [{ args: argsOf(textOf("hello")), outcome: `bot ${bot.name} gets it` }];
}
