/** The maximum delay of Node's timers in milliseconds: 24.8 days. MongoDB's time limits have the same maximum. */
export const maxTimerMs = 2_147_483_647;
