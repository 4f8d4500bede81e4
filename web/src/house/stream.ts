/** The house's event stream: meters, the balance, and rounds that went on in another tab. */
import type { StreamEvents } from "../wire";

export type Listeners = { [Name in keyof StreamEvents]: (told: StreamEvents[Name]) => void };

const NAMES = ["meter", "balance", "round"] as const;
const AGAIN_MS = 5000;

/** Listen until the returned function is called; a lost stream is opened again. */
export function listen(
  listeners: Listeners,
  open = (): EventSource => new EventSource("/api/stream"),
): () => void {
  let source = connect();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): EventSource {
    const opened = open();
    for (const name of NAMES) {
      opened.addEventListener(name, (message: MessageEvent<string>) => {
        (listeners[name] as (told: unknown) => void)(JSON.parse(message.data));
      });
    }
    opened.addEventListener("error", () => {
      // The browser reconnects by itself unless the house refused.
      if (opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(() => (source = connect()), AGAIN_MS);
    });
    return opened;
  }

  return () => {
    clearTimeout(timer);
    source.close();
  };
}
