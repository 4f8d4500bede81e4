/** Resolves once what has changed is on the screen, so that what follows does not hold it up. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const { port1: here, port2: there } = new MessageChannel();
    const done = (): void => {
      here.close();
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    // A page that nobody sees draws nothing.
    if (document.hidden) return done();
    document.addEventListener("visibilitychange", done);
    here.onmessage = done;
    requestAnimationFrame(() => there.postMessage(null));
  });
}

/** Resolves in the next task, once the browser is done with this one; at once in an older browser. */
export async function nextTask(): Promise<void> {
  await window.scheduler?.postTask(() => undefined, { priority: "user-blocking" });
}
