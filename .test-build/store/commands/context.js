/** What a command is given, and what a row of the command table is. */ /** A row of the command table. */ export { };
