import { MessagePort, workerData } from "node:worker_threads";
import type { FromThread, ToThread } from "./messages.ts";

/** Data that the host passes to a new thread. */
export interface ChannelData {
  port?: MessagePort;
  /** Number of the job whose handler is running synchronously; 0 if none is. */
  atWork?: Int32Array;
}

/** The thread's end of its private connection to the host. */
export interface PrivateChannel {
  readonly post: (message: FromThread) => void;
  readonly listen: (take: (message: ToThread) => void) => void;
  /** Publishes to the host the number of the job whose code starts to run; 0 when the code has returned. */
  readonly mark: (number: number) => void;
}

/**
 * Takes the private channel to the host, before any author's module is loaded.
 *
 * Any code in a thread can post to `parentPort`: messages of a library would reach the host, and a bot could report
 * outcomes for other bots' jobs. The host therefore listens to a separate port that no module can find. This port is
 * removed from `workerData` and from the handles that Node lists, and message listeners can't see it.
 */
export function takeChannel(): PrivateChannel {
  const channelData: ChannelData = workerData ?? {};
  const { port, atWork } = channelData;
  if (port === undefined || atWork === undefined) {
    throw new Error("this module is started by the bot host, as a thread");
  }
  delete channelData.port;
  delete channelData.atWork;
  hideHandles();
  // Captured at load time, so that modules that replace these functions later see no messages.
  const post = MessagePort.prototype.postMessage.bind(port);
  const later = setImmediate;
  return {
    post: (message) => post(message, []),
    listen(take) {
      port.on("message", (message: ToThread) => {
        // Called in a later turn of the event loop: here, a bot's code would get the port from
        // `executionAsyncResource()`.
        later(take, message);
      });
    },
    mark: (number) => void Atomics.store(atWork, 0, number),
  };
}

/** Hides the port from Node's list of open handles. */
function hideHandles(): void {
  for (const name of ["_getActiveHandles", "_getActiveRequests"]) {
    Object.defineProperty(process, name, { value: () => [] });
  }
}
