/** The settings' types, derived from their table. */ /** The keys of the settings as a program or a config file gives them: same names, all optional. */ export { };
