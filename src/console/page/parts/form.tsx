import type { ComponentChildren } from "preact";

interface FormProps {
  readonly class?: string;
  readonly label?: string;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ComponentChildren;
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
