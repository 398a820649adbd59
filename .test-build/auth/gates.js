/** How many work on one name at once: whoever finds no place waits until another leaves. */ export function makeGates() {
    const gates = new Map();
    const gateOf = (name)=>{
        const gate = gates.get(name) ?? {
            running: 0,
            left: 0,
            waiting: []
        };
        gates.set(name, gate);
        return gate;
    };
    const leave = (name, gate)=>{
        gate.running -= 1;
        gate.left += 1;
        const { waiting } = gate;
        gate.waiting = [];
        if (gate.running === 0 && waiting.length === 0) gates.delete(name);
        for (const wake of waiting)wake();
    };
    const enter = async (name, places)=>{
        const gate = gateOf(name);
        const { left } = gate;
        let free;
        try {
            free = await places() - gate.running;
        } catch (error) {
            if (gate.running === 0 && gate.waiting.length === 0) gates.delete(name);
            throw error;
        }
        // what was asked for may be out of date by now
        if (gate.left !== left || gates.get(name) !== gate) return enter(name, places);
        if (free > 0) {
            gate.running += 1;
            return ()=>leave(name, gate);
        }
        await new Promise((wake)=>gate.waiting.push(wake));
        return enter(name, places);
    };
    return {
        enter
    };
}
