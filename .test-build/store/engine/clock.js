/** The command that works on a cursor at the moment: `find` first, then each `getMore`. */ /** Whose time is spent; a cursor's work is charged to the command that asks for it. */ export { };
