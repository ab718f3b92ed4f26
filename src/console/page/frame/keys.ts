import { signal } from "@preact/signals";
import { PAGES } from "../../pages.ts";
import { go } from "../routing/route.ts";

/** Dialog that is open above the page; undefined if none is. */
export const openDialog = signal<"search" | "shortcuts" | undefined>(undefined);

/** Name in `localStorage` of the choice to switch off shortcuts of single keys. */
const SINGLE_KEYS = "answerback-single-keys";

/**
 * Whether shortcuts of single keys (`?` and `g`) work. Speech input types words, so its users can switch them off (WCAG
 * 2.1.4).
 */
export const hasSingleKeys = signal(localStorage.getItem(SINGLE_KEYS) !== "off");

/** Switches shortcuts of single keys on or off, in all tabs of this browser that open later. */
export function useSingleKeys(on: boolean): void {
  hasSingleKeys.value = on;
  localStorage.setItem(SINGLE_KEYS, on ? "on" : "off");
}

/** Keyboard shortcuts of the console, as shown to people. */
export const SHORTCUTS = [
  ["Ctrl K or ⌘ K", "Search pages, rules, people and traces"],
  ["?", "This list"],
  ["g, then a letter", "Go to the page that begins with that letter; again: the next such page"],
  ["Esc", "Close what is open"],
  ["↑ and ↓ in a message", "Earlier messages"],
  ["Esc, then Tab in the editor", "Leave the editor"],
] as const;

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Whether "g" was pressed last: the next key then opens a page by its first letter. */
let isGoing = false;

function goToPage(letter: string): void {
  const fitting = PAGES.filter(
    ({ title, path }) =>
      title[0]?.toLowerCase() === letter &&
      document.querySelector(`nav a[href="${path}"]`) !== null,
  );
  const current = fitting.findIndex(({ path }) => location.pathname.startsWith(path));
  const next = fitting[(current + 1) % fitting.length];
  if (next !== undefined) go(next.path);
}

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  const isCommand = event.ctrlKey || event.metaKey;
  // keys typed into a field are never shortcuts
  if (event.altKey || isTyping(event)) return;
  if (!isCommand && !hasSingleKeys.value) return;
  if (isCommand ? key === "k" && !event.shiftKey : key === "?") {
    event.preventDefault();
    openDialog.value ??= isCommand ? "search" : "shortcuts";
    return;
  }
  if (isCommand || openDialog.value !== undefined) return;
  if (isGoing) goToPage(key);
  isGoing = !isGoing && key === "g";
});
