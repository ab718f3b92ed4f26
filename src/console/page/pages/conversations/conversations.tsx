import type { PageProps } from "../../page-props.ts";
import { route } from "../../routing/route.ts";
import { ConversationList } from "./conversation-list.tsx";
import { Thread } from "./thread.tsx";

/** Page with people's conversations with the bot, their outcomes, and repairs for unanswered messages. */
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
