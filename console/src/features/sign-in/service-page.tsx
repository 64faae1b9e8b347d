import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call, externalSignInGetServicePage, externalSignInSignInServiceTicket } from '@/shared/api';
import { paths, type Way, wayOf } from '@/shared/pages/paths';
import { External, rememberedWay, rememberWay } from './external';

async function leave(way: Way): Promise<undefined> {
  const { url } = await call(externalSignInGetServicePage());
  rememberWay(way);
  window.location.assign(url);
}

function finish(ticket: string, { sourceUrl }: Way) {
  return call(externalSignInSignInServiceTicket({ body: { ticket, sourceUrl: sourceUrl ?? '' } }));
}

/** Takes a service ticket, from a portal or from the CAS server that it leads to. */
export default function ServicePage() {
  const [parameters] = useSearchParams();
  const ticket = parameters.get('ticket');
  const [way] = useState(() => (ticket ? rememberedWay(parameters) : wayOf(parameters)));
  return (
    <External way={way} run={() => (ticket ? finish(ticket, way) : leave(way))} again={paths.serviceSignIn} />
  );
}
