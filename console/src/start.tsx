import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '@/app/i18n';
import { firstNamespaces } from '@/app/messages';
import { fetchFrame, Root } from '@/app/root';
import { prepareClient } from '@/shared/api/client';
import { currentToken } from '@/shared/api/token';
import '@/app/base.css';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');

prepareClient();
const isSignedIn = currentToken() !== undefined;
if (isSignedIn) fetchFrame();
await startI18n(firstNamespaces(isSignedIn));
createRoot(place).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
