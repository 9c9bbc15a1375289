import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { readConfig } from '../config/config.ts'
import { type CloseReason, createConnections } from './connections.ts'

/** The parts of a socket that are read here. */
class Line extends EventEmitter {
  readonly remoteAddress: string
  isOpen = true
  writableLength = 0

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy() {
    this.isOpen = false
    this.emit('close')
  }
}

/** The connections of a process, with sockets of which the test controls both ends. */
function connectionsOf(environment: Readonly<Record<string, string>>) {
  const reasons: CloseReason[] = []
  const connections = createConnections(readConfig(environment), (reason) => reasons.push(reason))
  return {
    reasons,
    open: (address: string): Line => {
      const line = new Line(address)
      connections.accept(line as unknown as Socket)
      return line
    },
    /** Sends a request, with a complete or an incomplete body. */
    ask: (line: Line, complete = true) => {
      const request = { socket: line, complete, readableLength: 0, readableHighWaterMark: 65_536 }
      const response = Object.assign(new EventEmitter(), { req: request, shouldKeepAlive: true })
      const allowed = connections.ask(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      return { allowed, keepsAlive: response.shouldKeepAlive, end: () => response.emit('close') }
    },
  }
}

test('IPv6 is bounded by the network of a customer, IPv4 by address, in whatever notation', () => {
  const { open, ask, reasons } = connectionsOf({ MAX_CONNECTIONS_PER_ADDRESS: '1' })
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:3::1', '198.51.100.7', '198.51.100.8']) ask(open(address))

  for (const address of ['2001:db8:1:2:a:b:c:d', '::ffff:198.51.100.7']) assert.equal(open(address).isOpen, false)
  assert.equal(open('2001:db8:1:4::1').isOpen, true)
  assert.deepEqual(reasons, ['address', 'address'])
})

test('room is made by whoever has most, the oldest first, until he has no more than others', () => {
  const { open, reasons } = connectionsOf({ MAX_CONNECTIONS: '6' })
  const lines = ['10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.3', '10.0.0.3', '10.0.0.3'].map(open)
  const others = ['10.0.0.4', '10.0.0.5', '10.0.0.6'].map(open)

  assert.deepEqual(
    lines.map(({ isOpen }) => isOpen),
    // One of 3, then the oldest of the clients that hold 2.
    [true, false, true, false, false, true],
  )
  assert.ok(others.every(({ isOpen }) => isOpen))
  assert.deepEqual(reasons, Array(3).fill('no_request'))
})

test('of many that nobody uses a hundredth is closed at once', () => {
  const { open, reasons } = connectionsOf({ MAX_CONNECTIONS: '1000' })
  for (let count = 0; count < 1000; count += 1) open(`10.0.${count >> 8}.${count & 255}`)

  for (let count = 0; count < 10; count += 1) open('192.0.2.1')
  assert.equal(reasons.length, 10)
  open('192.0.2.1')
  assert.equal(reasons.length, 20)
})

test('a body that waits for us to read it is not one that its client is slow to send', () => {
  const { open, ask } = connectionsOf({ MAX_CONNECTIONS: '4' })
  const lines = Array.from({ length: 4 }, () => open('10.0.0.1'))
  for (const line of lines) ask(line)

  assert.equal(ask(open('10.0.0.2')).allowed, 'probes')
  const [sending] = lines
  if (sending) ask(sending, false)
  assert.equal(ask(open('10.0.0.3')).allowed, 'anything')
  assert.equal(sending?.isOpen, false)
})

test('whoever has more pushes nobody out who is about to ask', () => {
  const { open, ask } = connectionsOf({ MAX_CONNECTIONS: '4' })
  for (let count = 0; count < 3; count += 1) ask(open('10.0.0.1'), false)
  const newcomer = open('10.0.0.2')

  for (let count = 0; count < 3; count += 1) assert.equal(ask(open('10.0.0.1')).allowed, 'probes')
  assert.equal(newcomer.isOpen, true)
  assert.equal(ask(open('10.0.0.3')).allowed, 'anything')
})

test('a connection that came when all were taken is one like others once there is room again', () => {
  const { open, ask } = connectionsOf({ MAX_CONNECTIONS: '1' })
  const taken = open('10.0.0.1')
  ask(taken)
  const [waiting, other] = [open('10.0.0.2'), open('10.0.0.2')]

  const refused = ask(other)
  taken.destroy()
  const served = ask(waiting)

  assert.deepEqual([refused.allowed, refused.keepsAlive], ['probes', false])
  assert.deepEqual([served.allowed, served.keepsAlive], ['anything', true])
})

test('an idle connection makes room for whoever asks, however many he has', () => {
  const { open, ask, reasons } = connectionsOf({ MAX_CONNECTIONS: '4' })
  const idle = open('10.0.0.2')
  ask(idle).end()
  for (let count = 0; count < 3; count += 1) ask(open('10.0.0.1'))

  assert.equal(ask(open('10.0.0.1')).allowed, 'anything')
  assert.equal(idle.isOpen, false)
  assert.deepEqual(reasons, ['idle'])
})

test('a connection that is closed late takes nothing from the later ones of its address', () => {
  const { open, ask } = connectionsOf({ MAX_CONNECTIONS_PER_ADDRESS: '1' })
  const first = open('203.0.113.1')
  ask(first)
  first.emit('close')
  const second = open('203.0.113.1')
  ask(second)
  // The system reports the end of the first one again.
  first.destroy()

  assert.equal(open('203.0.113.1').isOpen, false)
  assert.equal(second.isOpen, true)
})

test('the end of an earlier response does not make a connection idle while a later one is in progress', () => {
  const { open, ask } = connectionsOf({ MAX_CONNECTIONS: '1' })
  const line = open('10.0.0.1')
  const [earlier, later] = [ask(line), ask(line)]

  earlier.end()
  assert.equal(ask(open('10.0.0.2')).allowed, 'probes')
  assert.equal(line.isOpen, true)
  later.end()
  assert.equal(ask(open('10.0.0.3')).allowed, 'anything')
  assert.equal(line.isOpen, false)
})

test('a request on a connection that is not counted may ask for anything', () => {
  const { ask } = connectionsOf({ MAX_CONNECTIONS: '1' })

  const { allowed, keepsAlive } = ask(new Line('203.0.113.1'))

  assert.deepEqual([allowed, keepsAlive], ['anything', true])
})

test('above the most and the reserve, a newcomer is refused, and whoever is busy stays', () => {
  const { open, ask, reasons } = connectionsOf({ MAX_CONNECTIONS: '1' })
  const lines = Array.from({ length: 65 }, (_, number) => {
    const line = open(`10.0.1.${number}`)
    ask(line)
    return line
  })

  const refused = open('10.0.2.1')

  assert.equal(refused.isOpen, false)
  assert.deepEqual(reasons, ['full'])
  assert.ok(lines.every(({ isOpen }) => isOpen))
})

type Step = { readonly do: 'open' | 'ask' | 'send' | 'end' | 'leave'; readonly who: number; readonly which: number }

test('whatever clients do, there are never more connections than there may be, and one who has none is let in', () => {
  const steps = fc.array(
    fc.record<Step>({
      do: fc.constantFrom('open', 'open', 'open', 'ask', 'send', 'end', 'leave'),
      who: fc.nat(4),
      which: fc.nat(40),
    }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }), (all, most, maxOfOne) => {
      const { open, ask } = connectionsOf({
        MAX_CONNECTIONS: String(most),
        MAX_CONNECTIONS_PER_ADDRESS: String(maxOfOne),
      })
      const lines: { readonly line: Line; asked?: ReturnType<typeof ask> }[] = []
      const openOnes = () => lines.filter(({ line }) => line.isOpen)
      for (const step of all) {
        const address = `203.0.113.${step.who}`
        const held = openOnes().filter(({ line }) => line.remoteAddress === address).length
        if (step.do === 'open') {
          const line = open(address)
          lines.push({ line })
          assert.ok(held > 0 || line.isOpen)
        } else {
          const existing = openOnes()[step.which]
          if (step.do === 'leave') existing?.line.destroy()
          else if (step.do === 'end') existing?.asked?.end()
          else if (existing) existing.asked = ask(existing.line, step.do === 'ask')
        }
        const each = Map.groupBy(openOnes(), ({ line }) => line.remoteAddress)
        for (const { length } of each.values()) assert.ok(length <= maxOfOne)
        assert.ok(openOnes().length <= most + 64)
      }
    }),
  )
})
