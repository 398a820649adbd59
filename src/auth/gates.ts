/** How many work on one name at once: whoever finds no place waits until another leaves. */

interface Gate {
  running: number;
  /** How often somebody has left. */
  left: number;
  waiting: (() => void)[];
}

export interface Gates {
  /** Waits for a place. @param places how many there are now, asked again whenever somebody has left @returns how to leave */
  enter(name: string, places: () => Promise<number>): Promise<() => void>;
}

export function makeGates(): Gates {
  const gates = new Map<string, Gate>();
  const gateOf = (name: string): Gate => {
    const gate = gates.get(name) ?? { running: 0, left: 0, waiting: [] };
    gates.set(name, gate);
    return gate;
  };
  const leave = (name: string, gate: Gate): void => {
    gate.running -= 1;
    gate.left += 1;
    const { waiting } = gate;
    gate.waiting = [];
    if (gate.running === 0 && waiting.length === 0) gates.delete(name);
    for (const wake of waiting) wake();
  };
  const enter = async (name: string, places: () => Promise<number>): Promise<() => void> => {
    const gate = gateOf(name);
    const { left } = gate;
    let free: number;
    try {
      free = (await places()) - gate.running;
    } catch (error) {
      if (gate.running === 0 && gate.waiting.length === 0) gates.delete(name);
      throw error;
    }
    // what was asked for may be out of date by now
    if (gate.left !== left || gates.get(name) !== gate) return enter(name, places);
    if (free > 0) {
      gate.running += 1;
      return () => leave(name, gate);
    }
    await new Promise<void>((wake) => gate.waiting.push(wake));
    return enter(name, places);
  };
  return { enter };
}
