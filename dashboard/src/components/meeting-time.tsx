import type { ReactNode } from 'react'
import type { Handover } from '@/api/types'
import { formatDayAndTime } from '@/lib/format'
import { rich } from '@/lib/texts'
import { nearTime } from './near-time'
import { Typed } from './typed'

/** A time in digits, which the display font draws in another height than its letters. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at && formatDayAndTime(at)} className="font-sans font-semibold">
    {at && nearTime(at)}
  </time>
)

/** The time at which two traders meet, agreed or proposed, with the sides who have agreed. */
export function meetingInWords(meeting: NonNullable<Handover['meeting']>, name: string): ReactNode {
  const places = { name: <Typed>{name}</Typed>, time: <Time at={meeting.at} /> }
  if (meeting.works && meeting.worksForThem) return rich('meeting_agreed', places)
  if (meeting.works) return rich('meeting_yours', places)
  return meeting.worksForThem ? rich('meeting_theirs', places) : rich('meeting_proposed', places)
}
