import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { Problem } from "../../../../config/problem.ts";
import { editorLook } from "./editor-look.ts";
import { completionsOf } from "./schema-completions.ts";
import { hintsOf } from "./schema-hints.ts";

/** A text editor that is open on the page. */
export interface Editor {
  /** Marks problems at their places in the text. */
  mark(problems: readonly Problem[]): void;
  close(): void;
}

interface EditorOptions {
  readonly text: string;
  /** JSON Schema of the edited file. */
  readonly schema: unknown;
  readonly onChange: (text: string) => void;
}

/** Opens an editor for a rule file in an element. To leave the editor with the keyboard, press Escape, then Tab. */
export function openEditor(parent: HTMLElement, { text, schema, onChange }: EditorOptions): Editor {
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute("content") ?? "";
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": "Text of the rule file" }),
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        yaml(),
        editorLook,
        hintsOf(schema),
        autocompletion({ override: [completionsOf(schema)] }),
        lintGutter(),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => {
          const { doc } = update.state;
          if (update.docChanged) onChange(doc.sliceString(0, doc.length, lineBreak));
        }),
      ],
    }),
  });
  return {
    mark(problems) {
      const { doc } = view.state;
      const diagnostics = problems.flatMap(
        ({ line, column, length, severity, message, help }): Diagnostic[] => {
          if (line > doc.lines) return [];
          const start = doc.line(line);
          const from = Math.min(start.to, start.from + column - 1);
          const to = Math.min(doc.length, from + Math.max(1, length));
          return [
            { from, to, severity, message: help === undefined ? message : `${message}\n${help}` },
          ];
        },
      );
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    close: () => view.destroy(),
  };
}
