import { useState } from "preact/hooks";
import { sandbox } from "../asking/api.ts";
import { toast, told } from "./toasts.tsx";

/** Worlds that were kept in this tab, to go back to. */
export function Snapshots({ mayChange }: { mayChange: boolean }) {
  const [kept, setKept] = useState<readonly { name: string; world: unknown }[]>([]);
  if (!mayChange) return null;
  const keep = async (): Promise<void> => {
    const world = await told(sandbox.get<unknown>("/state"));
    if (world === undefined) return;
    const name = `${kept.length + 1}: ${new Date().toLocaleTimeString("en-GB")}`;
    setKept([...kept, { name, world }]);
    toast(`The sandbox's world is kept as snapshot ${name}, as long as this tab is open.`);
  };
  return (
    <details class="menu">
      <summary>Snapshots</summary>
      <div>
        <button type="button" onClick={() => void keep()}>
          Keep the world as it is
        </button>
        {kept.map(({ name, world }) => (
          <button
            key={name}
            type="button"
            onClick={() =>
              void told(
                sandbox.put("/state", world),
                () => `The world is again as in snapshot ${name}.`,
              )
            }
          >
            Back to {name}
          </button>
        ))}
        <p class="soft">Named ones that stay: answerback snapshot save NAME</p>
      </div>
    </details>
  );
}
