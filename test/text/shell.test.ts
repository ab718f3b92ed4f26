import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { operand, shell, shellText, shellWord } from "../../src/text/shell.ts";

/** Words that a POSIX shell reads in a command line. */
function wordsOf(command: string): readonly string[] {
  const script = `set -f\nwords() { for word; do printf '%s\\0' "$word"; done; }\nwords ${command}`;
  return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

const WORDS: readonly { readonly word: string; readonly why: string }[] = [
  { word: "", why: "nothing" },
  { word: "/home/me/my bots/data/store.id", why: "a space" },
  { word: "my bots (2)", why: "parentheses" },
  { word: "it's", why: "a single quote" },
  { word: "'", why: "nothing but a single quote" },
  { word: 'say "hi"', why: "double quotes" },
  { word: "$HOME/${USER}", why: "variables" },
  { word: "$(rm x)", why: "a command" },
  { word: "`rm x`", why: "backticks" },
  { word: "~/bots", why: "a tilde" },
  { word: "-rf", why: "a leading dash" },
  { word: "a;b&c|d<e>f", why: "signs between commands" },
  { word: "*.db?[a]{1,2}", why: "wildcards" },
  { word: "#no comment", why: "a hash" },
  { word: "wow!", why: "an exclamation mark" },
  { word: String.raw`a\nb\\c`, why: "backslashes" },
  { word: "=ls", why: "an equals sign" },
  { word: "a\nb 'c' %s\\d", why: "a line break" },
  { word: "tab\there\u001B[2J", why: "control characters" },
  { word: "\u202Eright to left", why: "a sign that turns the direction" },
  { word: "-\n-", why: "a leading dash and a line break" },
  { word: "größe/日本/🙂 x", why: "letters of other scripts" },
];

describe("a word of a command", () => {
  it.each(WORDS)("is one word for a shell: $why", ({ word }) => {
    expect(wordsOf(`a ${shellWord(word)} z`)).toEqual(["a", word, "z"]);
    expect(wordsOf(`--to=${shellWord(word)}`)).toEqual([`--to=${word}`]);
    expect(wordsOf(shellText(word))).toEqual([word]);
    expect(shellWord(word)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each(["/srv/bots/data-1/store.id", "@ana", "größe", "12", "host:5432", "a,b", "x+y"])(
    "is not quoted where nothing in it means anything: %s",
    (word) => {
      expect(shellWord(word)).toBe(word);
      expect(wordsOf(word)).toEqual([word]);
    },
  );
});

describe("a command", () => {
  it("contains each value as one word, and the text around it unchanged", () => {
    expect(shell`rm ${"/my bots/store.id"} ${"/my bots/store.db"}* -n ${3}`).toBe(
      "rm '/my bots/store.id' '/my bots/store.db'* -n 3",
    );
  });

  it("takes a path that begins with a dash as a path", () => {
    expect(wordsOf(shell`cd ${operand("-my bots")}`)).toEqual(["cd", "./-my bots"]);
    expect(operand("my-bots")).toBe("my-bots");
  });

  it("puts a text between double quotes if that is enough", () => {
    expect(shellText("what's open?")).toBe(`"what's open?"`);
    expect(shellText("5 $ it's")).toBe(String.raw`'5 $ it'\''s'`);
  });
});
