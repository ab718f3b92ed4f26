import { ControlClient } from "../../../sandbox/control/client.ts";
import type { SandboxUser } from "../../../sandbox/control/objects.ts";
import type { ConsoleNeeds } from "../../console-needs.ts";
import { callPlatformAs, type PlatformCall } from "../call-platform.ts";
import { OperationError } from "../operation.ts";
import type { FormField, TableCell } from "./table.ts";

/** Access to the sandbox for building tables and processing forms. */
export interface DataScene {
  readonly control: ControlClient;
  readonly people: readonly SandboxUser[];
  /** User id of the bot; undefined in a sandbox without a bot. */
  readonly bot: string | undefined;
  /** Returns a link to a person's details, labelled with the handle. */
  readonly person: (id: string) => TableCell;
  /**
   * Returns a select field for choosing a person.
   *
   * @param first Id of the person selected at first. Default: the first person who is not the bot.
   */
  readonly choice: (name: string, label: string, first?: string) => FormField;
  /**
   * Calls the sandbox's platform as a person or app.
   *
   * @throws {OperationError} with the platform's message if the platform refuses.
   */
  readonly perform: (call: PlatformCall) => Promise<unknown>;
}

/**
 * Reads the people of the sandbox, and returns access to its data.
 *
 * @throws {OperationError} if the console has no sandbox.
 */
export async function sceneOf(needs: ConsoleNeeds): Promise<DataScene> {
  const { sandbox } = needs;
  if (sandbox === undefined) throw new OperationError("there is no sandbox here", 404);
  const control = new ControlClient(sandbox.control.url, sandbox.control.token);
  const people = await control.users();
  const handles = new Map(people.map(({ id, username }) => [id, `@${username}`]));
  const bot = sandbox.bot?.id;
  const usual = people.find(({ id }) => id !== bot)?.id;
  return {
    control,
    people,
    bot,
    person: (id) => ({ to: `/data/users/${id}`, text: handles.get(id) ?? id }),
    choice: (name, label, first = usual) => ({
      name,
      label,
      options: [...handles].sort(
        ([one], [other]) => Number(other === first) - Number(one === first),
      ),
    }),
    async perform(call) {
      const { status, body } = await callPlatformAs(needs, call);
      if (status >= 300) throw new OperationError(refusalIn(status, body), 400);
      const answer: unknown = JSON.parse(body);
      return answer;
    },
  };
}

/** Returns the error message in a response of the platform. */
function refusalIn(status: number, body: string): string {
  try {
    const said: { errors?: readonly { message?: string; detail?: string }[]; detail?: string } =
      Object(JSON.parse(body));
    const [first] = said.errors ?? [];
    return first?.message ?? first?.detail ?? said.detail ?? `the platform answered ${status}`;
  } catch {
    return `the platform answered ${status}`;
  }
}
