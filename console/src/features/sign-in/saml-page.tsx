import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { call, externalSignInBeginSaml, externalSignInSignInSaml } from '@/shared/api';
import { paths, type Way, wayOf } from '@/shared/pages/paths';
import { External, leaveFor, rememberedWay, takeHandle } from './external';

async function leave(way: Way): Promise<undefined> {
  leaveFor(await call(externalSignInBeginSaml()), way);
}

function finish(ticket: string, { sourceUrl }: Way) {
  const body = { ticket, handle: takeHandle(), sourceUrl: sourceUrl ?? '' };
  return call(externalSignInSignInSaml({ body }));
}

/** Leads to the SAML identity provider, and is where the server sends the viewer with what came of its response. */
export default function SamlPage() {
  const [parameters] = useSearchParams();
  const ticket = parameters.get('ticket');
  const [way] = useState(() => (ticket ? rememberedWay(parameters) : wayOf(parameters)));
  return (
    <External way={way} run={() => (ticket ? finish(ticket, way) : leave(way))} again={paths.samlSignIn} />
  );
}
