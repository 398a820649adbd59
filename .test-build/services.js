/** What a request may reach, as interfaces (types only). `server.ts` makes them, `read`, `write`, `auth` and `events` implement them. */ export { };
