// The calls of the Go SDK of FastPDF, unchanged, against the service at PLATEN_ORIGIN, without /v1.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/fastpdfservices/fastpdf-go/fastpdf"
)

func check(what string, content []byte, err error, magic string) {
	if err != nil || !bytes.HasPrefix(content, []byte(magic)) {
		fmt.Fprintln(os.Stderr, what, err)
		os.Exit(1)
	}
}

func main() {
	file := os.Args[1]
	client := fastpdf.NewPDFClient(os.Getenv("PLATEN_TOKEN"), fastpdf.SetBaseURL(os.Getenv("PLATEN_ORIGIN")))
	valid, err := client.ValidateToken()
	if err != nil || !valid {
		check("ValidateToken", nil, err, "valid")
	}
	pdf, err := client.Split(file, []int{1, 3})
	check("Split", pdf, err, "%PDF")
	zip, err := client.SplitZip(file, [][]int{{1}, {2, 3}})
	check("SplitZip", zip, err, "PK")
	named, err := client.EditMetadata(pdf, map[string]string{"Title": "T"})
	check("EditMetadata", named, err, "%PDF")
	other := fastpdf.NewPDFClient("none", fastpdf.SetBaseURL(os.Getenv("PLATEN_ORIGIN")))
	if valid, err := other.ValidateToken(); valid || err == nil {
		check("ValidateToken without a token", nil, err, "refused")
	}
	fmt.Println("fastpdf-go: the calls of the Go SDK work.")
}
