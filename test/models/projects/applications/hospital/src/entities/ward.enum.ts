export const enum Shift {
  Day = 'day',
  Night = 'night',
}

export enum Ward {
  Surgery = 'surgery',
  Intensive = 'intensive',
}
