import { useSearchParams } from 'react-router';
import { call, externalSignInGetServicePage, externalSignInSignInServiceTicket } from '@/shared/api';
import { paths } from '@/shared/pages/paths';
import { External, rememberWay, sourceOf } from './external';

async function leave(parameters: URLSearchParams): Promise<undefined> {
  const { url } = await call(externalSignInGetServicePage());
  rememberWay(parameters);
  window.location.assign(url);
}

/** Takes a service ticket, from a portal or from the CAS server that it leads to. */
export default function ServicePage() {
  const [parameters] = useSearchParams();
  const ticket = parameters.get('ticket');
  return (
    <External
      run={() =>
        ticket
          ? call(externalSignInSignInServiceTicket({ body: { ticket, sourceUrl: sourceOf(parameters) } }))
          : leave(parameters)
      }
      again={paths.serviceSignIn()}
    />
  );
}
