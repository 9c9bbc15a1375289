// The machine is shared, and two to three times slower in some hours than in others. A figure in milliseconds therefore
// needs a second one: what the same work takes in the same minutes.

const events = Array.from({ length: 600 }, (_, number) => ({ id: number, title: `Event ${number}`, terms: [1, 2, 3] }))
const numbers = new Int32Array(1 << 20)

/** Returns the milliseconds of processor time of a fixed piece of work with texts and with numbers. */
export function fixedWorkMs(): number {
  const before = process.cpuUsage()
  for (let turn = 0; turn < 6; turn += 1) JSON.parse(JSON.stringify(events))
  for (let place = 0, last = 1; place < numbers.length; place += 1) {
    last = (Math.imul(last, 1_103_515_245) + 12_345) | 0
    numbers[place] = last
  }
  numbers.sort()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
