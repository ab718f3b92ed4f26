import { defineBot } from "answerback";

/** A bot as it should not be, by the first word of what it is told. */
export default defineBot({
  name: "bad",
  on: {
    "dm.received": async (ctx) => {
      const [word] = ctx.event.message.text.split(" ", 1);
      if (word === "Hang!") await new Promise(() => {});
      if (word === "Spin!") for (;;);
      if (word === "Hoard")
        for (const kept: Uint8Array[] = []; ;) kept.push(new Uint8Array(1_000_000).fill(1));
    },
  },
});
