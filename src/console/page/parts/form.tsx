import type { ComponentChildren } from "preact";

interface FormProps {
  readonly class?: string;
  readonly label?: string;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ComponentChildren;
}

type TypedKey = Pick<KeyboardEvent, "isComposing" | "keyCode">;

/**
 * Returns whether a key belongs to an input method, such as the Enter that accepts a Japanese word. Safari reports this
 * Enter after the composition, but with the key code 229.
 */
export function isComposing(key: TypedKey): boolean {
  return key.isComposing || key.keyCode === 229;
}

/** Form whose submission calls `onSubmit`, without loading another page. */
export function Form({ class: name, label, onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
