/** The process of `dossier-store`: flags, store, signals, exit code. */ import { readCommand, usage, WrongUse } from "./command-options.js";
import { open } from "./index.js";
import { hostAndPort, urlOf } from "./wire/address.js";
const shortPassword = 12;
const say = (line)=>void process.stdout.write(`${line}\n`);
const complain = (line)=>void process.stderr.write(`${line}\n`);
const namesOf = (address)=>address.kind === 'socket' ? address.path : address.hosts.map((host)=>hostAndPort(host, address.port)).join(' and ');
/** What the operator has to know; a password only when nobody knows it yet. */ function introduce(store, dir) {
    const { newAccount, user = '' } = store;
    say(`The store listens on ${namesOf(store.address)}, with its data in ${dir}.`);
    say('It is for development, tests and small sites, and for programs of this machine only.');
    if (newAccount !== undefined) {
        say(`User ${user}, password ${newAccount.password}: it is not shown again, and only its hash is kept.`);
    }
    say(`MONGODB_URL=${urlOf(store.address, newAccount ?? {
        user,
        password: 'PASSWORD'
    })}`);
}
async function run() {
    const asked = readCommand(process.argv.slice(2), process.env);
    if (asked.help) {
        process.stdout.write(usage);
        return;
    }
    const { dir, sharing } = asked;
    if (sharing.password !== undefined && sharing.password.length < shortPassword) {
        complain('Any program of this machine can try passwords: take a longer one.');
    }
    let exitCode = 0;
    let stop = ()=>undefined;
    const store = await open({
        dir,
        sharing,
        onWarning: complain,
        onFatal: (error)=>{
            complain(error.message);
            exitCode = 1;
            stop();
        }
    });
    let closing;
    stop = ()=>{
        closing ??= store.close().then(()=>process.exit(exitCode), ()=>process.exit(1));
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    introduce(store, dir);
}
run().catch((error)=>{
    complain(error instanceof Error ? error.message : String(error));
    if (error instanceof WrongUse) complain('`--help` lists the flags.');
    process.exitCode = error instanceof WrongUse ? 2 : 1;
});
