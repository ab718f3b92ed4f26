import { command } from "../../asking/api.ts";

/** A requested change of an outbox item. */
export type ItemCommand = ReturnType<typeof command<"retryItem">>;

interface UnknownItemProps {
  readonly id: number;
  readonly mayChange: boolean;
  readonly change: (doing: ItemCommand) => void;
}

/** Buttons for an outbox item of unknown outcome: a person has looked whether it has arrived. */
export function UnknownItem({ id, mayChange, change }: UnknownItemProps) {
  const button = (label: string, look: string | undefined, doing: () => ItemCommand) => (
    <button type="button" class={look} disabled={!mayChange} onClick={() => change(doing())}>
      {label}
    </button>
  );
  return (
    <>
      {button("It has arrived", undefined, () => command("settleItem", { id, as: "sent" }))}
      {button("It has not arrived", undefined, () => command("settleItem", { id, as: "failed" }))}
      {button("Send again, perhaps twice", "danger", () =>
        command("retryItem", { id, anyway: true }),
      )}
    </>
  );
}
