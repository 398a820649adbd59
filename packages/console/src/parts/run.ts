/** Runs what a button starts, and reports the result. */
import { notifications } from '@mantine/notifications';
import { textOf } from '../api/client.ts';

/** Runs work whose failure is shown. @param done is shown when it has succeeded */
export function run(work: () => Promise<unknown>, done?: string): void {
  work().then(() => done === undefined || notifications.show({ message: done }), showFailure);
}

export const showFailure = (error: unknown): void =>
  void notifications.show({ color: 'red', title: 'This did not work', message: textOf(error) });
