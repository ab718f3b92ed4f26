import type { PageProps } from "../../page-props.ts";
import { route } from "../../routing/route.ts";
import { ConversationList } from "./conversation-list.tsx";
import { Thread } from "./thread.tsx";

/** Page with each person's conversation with the bot, its outcome, and the remedy if it is unanswered. */
export function Page({ session }: PageProps) {
  const [, account, person] = route.value.parts;
  const isOpen = account !== undefined && person !== undefined;
  return (
    <main id="main" tabIndex={-1} class="conversations">
      <h1>Conversations</h1>
      <div class={isOpen ? "conversations-both" : ""}>
        <ConversationList session={session} />
        {isOpen && (
          <Thread key={`${account}/${person}`} lane={`${account}/${person}`} session={session} />
        )}
      </div>
    </main>
  );
}
