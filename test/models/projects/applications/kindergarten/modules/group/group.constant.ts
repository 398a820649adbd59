export const GROUP_COLOURS = ['red', 'green', 'blue'];
