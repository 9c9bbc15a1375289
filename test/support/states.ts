import type { TestApp } from './app.ts'
import { changed, givenEvent, givenVenue } from './given.ts'

const french = { ml_language: 'fr-CA' }

/** One event in each state, in both languages, beside one that takes place as usual. Now is 15 January 2030. */
export async function givenEventsInStates(app: TestApp): Promise<void> {
  const hall = await givenVenue(app, {
    venue: 'Old Hall',
    address: '1 Main Street',
    city: 'Laval',
    geo_lat: 45.56,
    geo_lng: -73.71,
  })
  const inHall = { timezone: 'America/Toronto', venue: hall.id, cost: '10' }
  const on = (day: number, from = 19) => ({
    start_date: `2030-01-${day} ${from}:00:00`,
    end_date: `2030-01-${day} ${from + 2}:00:00`,
  })
  const both = async (title: string, titleInFrench: string, sent: Readonly<Record<string, unknown>>) => {
    const { start_date, end_date } = sent
    const { id } = await givenEvent(app, { ...inHall, description: '<p>Everybody is welcome.</p>', ...sent, title })
    const translation = {
      title: titleInFrench,
      description: '<p>Bienvenue à tous.</p>',
      ml_translation_of: id,
      start_date,
      end_date,
    }
    const version = await givenEvent(app, { ...translation, ...french })
    /** Sends a change, and the reason in each language. */
    return async (json: object, reasons: readonly [string, string]) => {
      await changed(app, `/events/${id}`, { ...json, event_status_reason: reasons[0] })
      await changed(app, `/events/${version.id}`, { event_status_reason: reasons[1] })
    }
  }
  await both('Chess club', 'Club d’échecs', on(21))
  const recital = await both('Winter recital', 'Récital d’hiver', { ...on(22), featured: true })
  await recital({ event_status: 'canceled' }, ['The hall has no heating.', 'La salle n’est pas chauffée.'])
  const fair = await both('Craft fair', 'Foire d’artisanat', {
    start_date: '2030-01-23',
    end_date: '2030-01-25',
    all_day: true,
  })
  await fair({ event_status: 'postponed' }, [
    'A storm is coming.\nWe will tell you more soon.',
    'Une tempête approche.',
  ])
  const play = await both('The Seagull', 'La Mouette', on(24))
  await play({ event_status: 'rescheduled', ...on(29) }, ['An actor is ill.', 'Un comédien est malade.'])
  const talk = await both('Talk on birds', 'Conférence sur les oiseaux', on(26))
  const url = 'https://meet.example.org/birds?room=1&lang=en'
  await talk({ event_status: 'moved_online', virtual_url: url }, ['The roads are icy.', 'Les routes sont glacées.'])
  await both('Book club', 'Club de lecture', {
    ...on(26, 10),
    attendance: 'mixed',
    virtual_url: 'https://meet.example.org/books',
  })
  const webinar = {
    attendance: 'online',
    virtual_access: 'registered',
    virtual_url: 'https://meet.example.org/secret',
    venue: [],
  }
  await both('Webinar', 'Webinaire', { ...on(26, 13), ...webinar })
  const art = await both('Art show', 'Exposition', {
    start_date: '2030-01-02 10:00:00',
    end_date: '2030-02-20 17:00:00',
  })
  await art({ event_status: 'canceled' }, ['', ''])
  await both('Photo show', 'Photographies', { start_date: '2030-01-03 10:00:00', end_date: '2030-02-10 17:00:00' })
}
