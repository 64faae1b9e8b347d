// A server of documents for the tests: FerretDB with SQLite behind it.
//
//	documents ADDRESS FOLDER [TLS_ADDRESS CERTIFICATE KEY]
package main

import (
	"context"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	listener := ferretdb.ListenerConfig{TCP: os.Args[1]}
	if len(os.Args) > 3 {
		listener.TLS, listener.TLSCertFile, listener.TLSKeyFile = os.Args[3], os.Args[4], os.Args[5]
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  listener,
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/",
	})
	if err != nil {
		panic(err)
	}
	if err := server.Run(context.Background()); err != nil {
		panic(err)
	}
}
