import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";

/** The page's colours by the editor's default colours, which they replace. The defaults suit only light backgrounds. */
const IN_PLACE_OF: Readonly<Record<string, string>> = {
  "#404740": "--soft",
  "#940": "--soft",
  "#00c": "--go",
  "#219": "--go",
  "#a11": "--good",
  "#164": "--good",
  "#e40": "--warn",
  "#708": "--warn",
  "#085": "--warn",
  "#f00": "--bad",
};

const words = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...rest }) => ({
    ...rest,
    ...(typeof color === "string" && { color: `var(${IN_PLACE_OF[color] ?? "--ink"})` }),
  })),
);

const ground = EditorView.theme({
  "&": { backgroundColor: "var(--card)", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--go)", outlineOffset: "-3px" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--sunk)",
    color: "var(--soft)",
    borderColor: "var(--edge)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "color-mix(in srgb, var(--go) 30%, transparent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
  },
  ".cm-tooltip-section:not(:first-child)": { borderTopColor: "var(--edge)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--go)",
    color: "var(--go-ink)",
  },
  ".cm-lintRange-active": { backgroundColor: "var(--warn-ground)" },
});

/** Editor extensions for the page's colours, in light and dark mode. */
export const editorLook = [ground, syntaxHighlighting(words)];
