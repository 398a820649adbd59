/** After all tests: stops the mongod that was started for them. */
export default async function stop(): Promise<void> {
  await globalThis.testEngine?.stop();
}
